import { z } from "zod";
import { DEVICE_STATES, PROVIDERS, SWITCH_ACTIONS } from "#domain/enums";

// The answers of the connectivity tests. `timestamp` is when the test ended.
const timestamp = z.iso.datetime();
const text = z.string().nullable();
const provider = z.enum(PROVIDERS).nullable();
const state = z.enum(DEVICE_STATES);

export const pingAnswer = z
  .object({
    timestamp,
    hub_name: z.string(),
    ip_address: text,
    result: z.object({ success: z.boolean(), rtt_ms: z.number().nullable(), detail: text, provider }),
  })
  .meta({ id: "PingAnswer" });

export const statusAnswer = z
  .object({
    timestamp,
    device_name: z.string(),
    result: z.object({ success: z.boolean(), state, provider, error: text }),
  })
  .meta({ id: "StatusAnswer" });

export const testAnswer = z
  .object({
    timestamp,
    device_name: z.string(),
    action: z.enum(SWITCH_ACTIONS),
    success: z.boolean(),
    action_result: z.object({ success: z.boolean(), provider, error: text }),
    verification_result: z.object({ state }).describe("An immediate reading; unknown if none came within 9 s"),
  })
  .meta({ id: "TestAnswer" });
