import { z } from "zod";
import { wholeNumber } from "#domain/fields/fields";
import { clockText, isClock, isWindow } from "./guardrail-settings-schema";
import { BOUNDS } from "#domain/fields/limits";

/** The input of a policy. Null inherits, empty and 0 are none; absent values stay as they are, and are null in a new one. */
export const policyInput = z.object(
  {
    HARD_CURFEW_OFF: clockText("The curfew must be a time as HH:MM, or empty for none", isClock).nullable().optional(),
    BLACKOUT_WINDOW: clockText("The blackout must be two different times as HH:MM-HH:MM, or empty for none", isWindow)
      .nullable()
      .optional(),
    MAX_ON_DURATION_MIN: wholeNumber("Max ON duration", { min: 0, max: BOUNDS.MAX_ON_DURATION_MIN.max })
      .nullable()
      .optional(),
  },
  "A policy must be a map of keys and values",
);
