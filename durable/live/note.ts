import { z } from "zod";
import { DEVICE_STATES } from "#domain/enums";
import { LIVE_LISTS, type LiveList } from "#domain/lists/live";
import { deptOf } from "#durable/reporting/alarms";
import type { EngineContext } from "#durable/state/context";
import type { Kind } from "#durable/state/deliveries";
import { pushSoon } from "./push";
import { checkSessions } from "./sessions";

/** The list in which each kind of the engine's records is shown; what changes a light itself is told by its id. */
const LISTS: Record<Kind, LiveList | null> = {
  device_state: null,
  device_problem: null,
  device_hold: null,
  scheduler_event: "events",
  device_event: "history",
  state_change: "nights",
  hub_health: "hubs",
  agent_health: "agents",
  alarm: "alarms",
  alarms_open: "alarms",
  connectivity_log: "connectivity",
  notification: "notifications",
};

/** The list in which each kind of the plan is shown. */
const PLANNED: Record<string, LiveList> = {
  area: "areas",
  agent: "agents",
  hub: "hubs",
  group: "groups",
  calendar: "calendars",
  policy: "policies",
  permit: "permits",
  closure: "closures",
  device: "devices",
  schedule: "schedules",
  settings: "settings",
};

const body = z.object({
  device_id: z.string().nullish(),
  dept_id: z.string().nullish(),
  current_state: z.enum(DEVICE_STATES).optional(),
  last_state_at: z.string().nullish(),
  problem: z.string().nullable().optional(),
  problem_since: z.string().nullable().optional(),
  isNews: z.boolean().optional(),
});

/** Records have reached D1, where screens read them: the browsers hear of it. Without a browser, nothing is done. */
export function noteDelivered(context: EngineContext, rows: { kind: Kind; body: string }[]): void {
  try {
    if (!isHeard(context)) return;
    const lists = new Set<string>();
    for (const row of rows) noteRow(context, row, lists);
    pushSoon(context);
  } catch (error) {
    // The records have arrived, whatever became of this.
    context.log({ level: "error", event: "live.note_failed", reason: String(error) });
  }
}

/** `lists`: what was noted already, since a storm's records concern the same few lists. */
function noteRow(context: EngineContext, row: { kind: Kind; body: string }, lists: Set<string>): void {
  const { backlog } = context;
  const { device_id, dept_id, last_state_at, isNews = true, ...rest } = body.parse(JSON.parse(row.body));
  const list = LISTS[row.kind];
  if (list === null) {
    if (!device_id) return;
    const device = { id: device_id, ...rest, ...(last_state_at ? { last_state_at } : {}) };
    return backlog.noteDevice(device, context.now());
  }
  if (!isNews) return;
  const dept = deptOfRow(context, row.kind, { device_id, dept_id });
  const key = `${list} ${dept}`;
  if (lists.has(key)) return;
  lists.add(key);
  backlog.noteList(list, dept, context.now());
}

/** An entry of a log stays with the department that it names; an alarm goes with its light, as those do who see it. */
function deptOfRow(
  context: EngineContext,
  kind: Kind,
  { device_id = null, dept_id = null }: Pick<z.infer<typeof body>, "device_id" | "dept_id">,
): string | null {
  return dept_id !== null && kind !== "alarm" ? dept_id : deptOf(context, { device_id, dept_id });
}

/** The plan has changed: `kinds` are those of its records, null for all. */
export function noteReplanned(context: EngineContext, kinds: string[] | null): void {
  noteLists(context, kinds === null ? [...LIVE_LISTS] : kinds.flatMap((kind) => PLANNED[kind] ?? []));
  // Settings say how long a session lasts, and what it needs.
  if (kinds?.includes("settings") ?? true) void checkSessions(context);
}

/** Records of these lists have changed. */
export function noteLists(context: EngineContext, lists: LiveList[]): void {
  if (!isHeard(context)) return;
  for (const list of new Set(lists)) context.backlog.noteList(list, null, context.now());
  pushSoon(context);
}

function isHeard(context: EngineContext): boolean {
  if (context.sockets().length > 0) return true;
  context.backlog.forget(context.now());
  return false;
}
