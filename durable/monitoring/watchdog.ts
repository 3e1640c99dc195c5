import { putCheck } from "#durable/commands/polls";
import { closeIncident, incident, openIncident, tellOnce } from "#durable/reporting/incidents";
import { plan, settingsOf } from "#durable/state/plan";
import { namesOf, recordEvent } from "#durable/reporting/events";
import { look } from "#durable/reconcile/reconcile";
import type { Room } from "#durable/state/context";
import { knownState, standing } from "#durable/state/device-state";
import { dropTimer, putTimer } from "#durable/state/timers";

/** How many devices are read in one turn, so that a large city does not drown its hubs. */
const READS_A_TURN = 40;

/** Asks for the watchdog's next turn, or none where WATCHDOG_ENABLED is off; a turn that is already asked for stays. */
export function armWatchdog(room: Room): void {
  const { WATCHDOG_ENABLED, WATCHDOG_INTERVAL_SEC } = settingsOf(room.sql);
  if (!WATCHDOG_ENABLED) return dropTimer(room.sql, "watchdog");
  const [armed] = room.sql.exec<{ due_at: number }>("SELECT due_at FROM timers WHERE id = 'watchdog'").toArray();
  const next = room.now() + WATCHDOG_INTERVAL_SEC * 1000;
  if (!armed || armed.due_at > next) putTimer(room.sql, "watchdog", next);
}

/**
 * The watchdog's turn: reads devices without a live command, in turns one that is lit or should be, whose state is the
 * more in doubt, and one of the others, of each those first that were asked longest ago. So neither an evening of many
 * lit lights nor a dead hub keeps it from the rest. What a reading finds is made good in `noteReading`.
 */
export function watch(room: Room): void {
  const { WATCHDOG_ENABLED, WATCHDOG_INTERVAL_SEC } = settingsOf(room.sql);
  if (!WATCHDOG_ENABLED) return;
  putTimer(room.sql, "watchdog", room.now() + WATCHDOG_INTERVAL_SEC * 1000);
  const devices = room.sql
    .exec<{ id: string }>(
      `SELECT id FROM (
         SELECT p.id, s.lit_since IS NOT NULL OR COALESCE(s.resolved, '') LIKE 'on%' AS is_lit,
           MAX(COALESCE(s.reported_at, 0), COALESCE(r.asked_at, 0)) AS read_at
         FROM plan p LEFT JOIN standings s ON s.device_id = p.id LEFT JOIN reads r ON r.device_id = p.id
         WHERE p.kind = 'device' AND NOT EXISTS (SELECT 1 FROM commands c WHERE c.target = p.id))
       ORDER BY ROW_NUMBER() OVER (PARTITION BY is_lit ORDER BY read_at, id), is_lit DESC
       LIMIT ?`,
      READS_A_TURN,
    )
    .toArray();
  for (const { id } of devices) {
    putCheck(room, "read", id);
    room.sql.exec("INSERT OR REPLACE INTO reads (device_id, asked_at) VALUES (?, ?)", id, room.now());
  }
}

/** After a reading that nobody asked for: the device is looked at with the watchdog's right to command. */
export function noteReading(room: Room, device_id: string): void {
  const of = standing(room.sql, device_id);
  const isWell = isAsWanted(of.resolved, knownState(of));
  if (isWell) closeIncident(room, `device:${device_id}`);
  const open = incident(room, `device:${device_id}`);
  look(room, device_id, open && open.next_at > room.now() ? null : "watchdog");
  noteHand(room, device_id);
}

/** Whether the state is what was last resolved; 'none' wants nothing. */
function isAsWanted(resolved: string, state: string): boolean {
  return resolved.startsWith("on") ? state === "on" : state === "off";
}

/** A light on without a reason: one event and one notification; max on counts from when it was seen (design 3). */
function noteHand(room: Room, device_id: string): void {
  const of = standing(room.sql, device_id);
  const name = `hand:${device_id}`;
  if (of.lit_since === null || of.lit_by !== "hand") {
    closeIncident(room, name);
    return;
  }
  const device = plan.device(room.sql, device_id);
  if (!device || !openIncident(room, name)) return;
  const { device_name, dept_id } = namesOf(room, device_id, null);
  const note = "Found on without a reason: switched at the lamp. It goes off after the longest time allowed.";
  const id = `hand:${device_id}:${of.lit_since}`;
  recordEvent(room, id, {
    device_id,
    device_name,
    dept_id,
    source: "watchdog",
    action: "on",
    result: "fail",
    attempts: 0,
    note,
  });
  tellOnce(room, name, "light_on", `${device_name} is on without a reason.`);
}
