import { z } from "zod";
import { ALARM_KINDS, ALARM_STATES } from "#domain/enums";
import type { Page } from "#domain/lists/list-query";

const instant = z.iso.datetime();
const text = z.string().nullable();
const count = z.int().min(0);

/** What the engine found wrong and people see to. Names are those of when it opened. */
export const alarm = z
  .object({
    id: z.string(),
    version: z.int(),
    kind: z.enum(ALARM_KINDS),
    state: z.enum(ALARM_STATES),
    message: z.string().describe("'Dark since 5:00 PM: still off after 3 tries'"),
    device_id: text,
    device_name: text,
    hub_id: text,
    hub_name: text,
    area_id: text,
    area_name: text,
    dept_id: text,
    dept_name: text,
    opened_at: instant,
    over_at: instant.nullable(),
    acknowledged_at: instant.nullable(),
    acknowledged_by: text.describe("An e-mail address"),
    assigned_to: text,
    assigned_email: text,
    workorder_id: text.describe("The work order that was made from it"),
  })
  .meta({ id: "Alarm" });
export type Alarm = z.infer<typeof alarm>;

export const alarmCounts = z.object({ open: count, acknowledged: count, over: count });
type AlarmCounts = z.infer<typeof alarmCounts>;

/** Of which open alarms of a list somebody says at once that they have seen them: those that were told by then. */
export const toldUntil = count.describe("What the engine had told of the open ones; for PUT /alarms/acknowledge");

/** A hub that does not answer, since when in words, and how many alarms of a list are of lights because of it. */
export type SilentHub = { id: string; name: string; message: string; alarms: number };

/**
 * A page of one state's alarms, how many there are of each, until when the open ones were told, and the hubs that explain
 * some of them.
 */
export type AlarmPage = Page<Alarm> & { counts: AlarmCounts; told_until: number; silent_hubs: SilentHub[] };
