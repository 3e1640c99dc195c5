import type { ResolvedState } from "#domain/resolve/reason";
import type { DeviceState } from "#domain/enums";
import { nameInArea } from "#domain/records/name-in-area";
import { enqueuePoll } from "#durable/commands/polls";
import { aboutLight } from "#durable/reporting/alarms";
import { closeIncident, incident, openIncident, notifyOnce } from "#durable/reporting/incidents";
import { plan, settingsOf } from "#durable/state/plan";
import { namesOf, recordEvent } from "#durable/reporting/events";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import type { EngineContext } from "#durable/state/context";
import { knownState, memoryOf } from "#durable/state/device-memory";
import { dropTimer, putTimer, timerDueAt } from "#durable/state/timers";

/** How many devices are read in one turn where the vendor limits calls, so that a large city does not drown its hubs. */
const READS_A_TURN = 40;
/** Elsewhere every light is read within a quarter of an hour, however many there are. */
const ROUND_SEC = 900;

/**
 * Asks for the watchdog's next turn, or none where WATCHDOG_ENABLED is off; a turn that is already asked for stays. The first
 * one comes at once: until a light has been read nobody can say that it is off.
 */
export function armWatchdog(context: EngineContext): void {
  const { WATCHDOG_ENABLED, WATCHDOG_INTERVAL_SEC } = settingsOf(context.sql);
  if (!WATCHDOG_ENABLED) return dropTimer(context.sql, "watchdog");
  const armed = timerDueAt(context.sql, "watchdog");
  const next = armed === null ? context.now() : context.now() + WATCHDOG_INTERVAL_SEC * 1000;
  if (armed === null || armed > next) putTimer(context.sql, "watchdog", "", next);
}

/**
 * The watchdog's turn: reads devices without a live command, in turns one that is lit or should be, whose state is the
 * more in doubt, and one of the others, of each those first that were asked longest ago. So neither an evening of many
 * lit lights nor a dead hub keeps it from the rest. What a reading finds is made good in `noteReading`.
 */
export function watch(context: EngineContext): void {
  const { WATCHDOG_ENABLED, WATCHDOG_INTERVAL_SEC } = settingsOf(context.sql);
  if (!WATCHDOG_ENABLED) return;
  putTimer(context.sql, "watchdog", "", context.now() + WATCHDOG_INTERVAL_SEC * 1000);
  context.sql.kept?.write();
  const devices = context.sql
    .exec<{ id: string }>(
      `SELECT id FROM (
         SELECT p.id, s.lit_since IS NOT NULL OR s.resolved_state IS 'on' AS is_lit,
           MAX(COALESCE(s.reported_at, 0), COALESCE(r.asked_at, 0)) AS read_at
         FROM plan p LEFT JOIN device_memory s ON s.device_id = p.id LEFT JOIN reads r ON r.device_id = p.id
         WHERE p.kind = 'device' AND NOT EXISTS (SELECT 1 FROM commands c WHERE c.target_kind = 'device' AND c.target_id = p.id))
       ORDER BY ROW_NUMBER() OVER (PARTITION BY is_lit ORDER BY read_at, id), is_lit DESC
       LIMIT ? + 0`,
      readsATurn(context),
    )
    .toArray();
  for (const { id } of devices) {
    enqueuePoll(context, "read", id);
    context.sql.exec("INSERT OR REPLACE INTO reads (device_id, asked_at) VALUES (?, ?)", id, context.now());
  }
}

function readsATurn({ sql }: EngineContext): number {
  const { PROVIDER_MODE, WATCHDOG_INTERVAL_SEC } = settingsOf(sql);
  if (PROVIDER_MODE === "cloud" || PROVIDER_MODE === "hybrid") return READS_A_TURN;
  return Math.max(READS_A_TURN, Math.ceil((plan.deviceIds(sql).length * WATCHDOG_INTERVAL_SEC) / ROUND_SEC));
}

/** After a reading that nobody asked for: the device is looked at with the watchdog's right to command. */
export function noteReading(context: EngineContext, device_id: string): void {
  endTroubleIfWell(context, device_id);
  const open = incident(context, `device:${device_id}`);
  reconcileDevice(context, device_id, open && open.next_at > context.now() ? null : "watchdog");
  noteExternallyLit(context, device_id);
}

/** A light that was read as it should be is in trouble no more, whoever has asked. Must run inside a transaction. */
export function endTroubleIfWell(context: EngineContext, device_id: string): void {
  const memory = memoryOf(context.sql, device_id);
  if (isAsWanted(memory.resolved_state, knownState(memory))) closeIncident(context, `device:${device_id}`);
}

/** Whether the state is what was last resolved; 'none' wants nothing. */
function isAsWanted(resolved: ResolvedState | null, state: DeviceState): boolean {
  return resolved === "on" ? state === "on" : state === "off";
}

/** A light on without a reason: one event and one notification; max on counts from when it was seen. */
function noteExternallyLit(context: EngineContext, device_id: string): void {
  const memory = memoryOf(context.sql, device_id);
  const name = `external:${device_id}`;
  if (memory.lit_since === null || memory.lit_by !== "external") {
    closeIncident(context, name);
    return;
  }
  const device = plan.device(context.sql, device_id);
  if (!device) return;
  const isNew = openIncident(context, name);
  const names = namesOf(context, device_id, null);
  const { device_name, area_name, dept_id } = names;
  const alarm = { what: "On", why: "nobody asked for it", about: aboutLight(context, device_id, names) };
  notifyOnce(
    context,
    name,
    "light_on",
    `${nameInArea({ name: device_name, area_name })} is on without a reason.`,
    alarm,
  );
  if (!isNew) return;
  const note = "Found on without a reason: switched at the lamp. It goes off after the longest time allowed.";
  const id = `external:${device_id}:${memory.lit_since}`;
  recordEvent(context, id, {
    device_id,
    device_name,
    dept_id,
    source: "watchdog",
    action: "on",
    result: "fail",
    attempts: 0,
    note,
    cause: "external",
  });
}
