import type { z } from "zod";
import type { pingAnswer, statusAnswer, testAnswer } from "./connectivity-answers";

export const DEVICE_REQUIRED = "Please select a device first";

export type PingAnswer = z.infer<typeof pingAnswer>;
export type StatusAnswer = z.infer<typeof statusAnswer>;
export type TestAnswer = z.infer<typeof testAnswer>;
