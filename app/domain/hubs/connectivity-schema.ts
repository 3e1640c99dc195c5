import { z } from "zod";
import { DEVICE_REQUIRED } from "./connectivity";
import { switchAction } from "#domain/light/device-schema";
import { requiredId } from "#domain/fields/fields";

const HUB_REQUIRED = "Please select a hub first";

/** The inputs of the three connectivity tests: ping a hub, read a device, switch a device. */
export const pingInput = z.object({ hub_id: requiredId(HUB_REQUIRED) }, HUB_REQUIRED);
export const statusInput = z.object({ device_id: requiredId(DEVICE_REQUIRED) }, DEVICE_REQUIRED);
export const testInput = z.object({ device_id: requiredId(DEVICE_REQUIRED), action: switchAction }, DEVICE_REQUIRED);
