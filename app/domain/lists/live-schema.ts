import { z } from "zod";
import { DEVICE_STATES } from "#domain/enums";
import { LIVE_LISTS } from "./live";

/** What has changed of a light; what is left out is as it was. */
const liveDevice = z.object({
  id: z.string(),
  current_state: z.enum(DEVICE_STATES).optional(),
  last_state_at: z.string().optional(),
  problem: z.string().nullable().optional(),
  problem_since: z.string().nullable().optional(),
});
export type LiveDevice = z.infer<typeof liveDevice>;

const version = z.number().int();
/** Over how many ms the browsers should spread what they load because of it. */
const spread_ms = z.number().int();

/**
 * What the server tells a browser, each with the version that the browser has then: `hello` first, `changes` since its
 * version, and `reload` where nobody remembers what those were.
 */
export const liveMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("hello"), version }),
  z.object({
    kind: z.literal("changes"),
    version,
    devices: z.array(liveDevice),
    lists: z.array(z.enum(LIVE_LISTS)),
    spread_ms,
  }),
  z.object({ kind: z.literal("reload"), version, spread_ms }),
]);
export type LiveMessage = z.infer<typeof liveMessage>;
