import { z } from "zod";
import { COMMAND_SOURCES, DEVICE_STATES, REASONS, SWITCH_ACTIONS } from "#domain/enums";

const instant = z.iso.datetime();

/** What resolve used for one device: why its light is on or off, and when that can change. Instants are ISO 8601. */
export const explanation = z
  .object({
    device_id: z.string(),
    state: z.enum(["on", "off", "none"]),
    reason: z.enum(REASONS),
    sentence: z
      .string()
      .describe("A sentence for people: who or what caused the state, until when, and what comes next"),
    claims: z.array(z.object({ schedule_id: z.string(), title: z.string(), start_at: instant, end_at: instant })),
    toggle: z.object({
      off_at: instant.nullable(),
      off_by: z.string().nullable(),
      on_at: instant.nullable(),
      on_by: z.string().nullable(),
    }),
    lit_since: instant.nullable(),
    guardrail: z.object({ kind: z.enum(["curfew", "blackout"]), until: instant }).nullable(),
    closure: z
      .object({ id: z.string(), reason: z.string(), until: instant.nullable() })
      .nullable()
      .describe(
        "The closure in force, of several the one that ends last; `until` is null while nobody has said when it is reopened",
      ),
    refusal: z.string().nullable().describe("Why an ON would be refused now; null where it would not"),
    next_change_at: instant.nullable(),
    next_start_at: instant.nullable(),
    next_flip: z
      .object({ at: instant, state: z.enum(["on", "off"]) })
      .nullable()
      .describe("When it should next go on or, while it should be on, go off"),
    problem: z
      .object({ since: instant, why: z.string() })
      .nullable()
      .describe("Why its state is not the desired one; null if it is"),
    reported: z.object({ state: z.enum(DEVICE_STATES), at: instant.nullable() }),
    command: z
      .object({
        action: z.enum(SWITCH_ACTIONS),
        source: z.enum(COMMAND_SOURCES),
        attempt: z.int(),
        phase: z.string(),
      })
      .nullable(),
  })
  .meta({ id: "Explanation" });
export type Explanation = z.infer<typeof explanation>;
