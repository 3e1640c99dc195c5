import { meta, setMeta } from "./meta";
import type { Before } from "./device-memory";
import { setLimitsBack } from "./limits-since";
import type { Store } from "./kept";
import { setMadeBack } from "./plan-instants";

/** The columns that say when something was, or is to be (epoch ms), but for those that people or the plan set. */
export const OWN_INSTANTS: Readonly<Record<string, readonly string[]>> = {
  timers: ["due_at", "lease"],
  device_memory: [
    "off_at",
    "on_at",
    "lit_since",
    "cut_at",
    "hold_since",
    "emergency_since",
    "asked_at",
    "dark_since",
    "reported_at",
    "written_at",
    "sent_at",
    "reconciled_at",
    "test_until",
    "problem_since",
  ],
  commands: ["due_at"],
  calls: ["until"],
  polls: ["due_at"],
  reads: ["asked_at"],
  incidents: ["next_at", "notified_at"],
  hub_trouble: ["paused_until"],
  calls_made: ["at"],
  reservations: ["at"],
  cooldowns: ["until"],
  agent_links: ["connected_since", "away_since"],
  standing_plans: ["sent_at"],
  webhook_messages: ["due_at"],
  held_counts: ["first_at"],
  lamps: ["switched_at"],
};

/** The same of what a command's `body` says. */
export const INSTANTS_OF_COMMANDS = ["held_since", "busy_since", "kept_since", "on_at_before", "queued_at"] as const;

/** The same of what is put back where a call never leaves; the compiler asks for each that is new. */
const INSTANTS_BEFORE: Record<Exclude<keyof Before, "lit_by">, string> = {
  at: "before.at",
  sent_at: "before.sent_at",
  lit_since: "before.lit_since",
};

/**
 * The clock was `by_ms` ahead and is right now (`now`, epoch ms): what was to come by it comes so much earlier, and nothing
 * is left that happened in the future. Of windows that have not begun nothing is remembered, nor of one that runs that it
 * was over.
 */
export function setBack(sql: Store, now: number, by_ms: number): void {
  sql.kept?.write();
  for (const [table, columns] of Object.entries(OWN_INSTANTS))
    for (const column of columns)
      sql.exec(`UPDATE ${table} SET ${column} = MAX(?1, ${column} - ?2) WHERE ${column} > ?1`, now, by_ms);
  // An alarm that was told keeps its name, which is its beginning: by another one nobody would hear that it is over.
  sql.exec("UPDATE incidents SET since = MAX(?1, since - ?2) WHERE since > ?1 AND alarm IS NULL", now, by_ms);
  const inBodies = { commands: INSTANTS_OF_COMMANDS, calls: Object.values(INSTANTS_BEFORE), plan: ["planned_at"] };
  for (const [table, names] of Object.entries(inBodies))
    for (const name of names)
      sql.exec(
        `UPDATE ${table} SET body = json_set(body, '$.${name}', MAX(?1, body ->> '$.${name}' - ?2))
           WHERE CASE WHEN json_valid(body) THEN body ->> '$.${name}' > ?1 END`,
        now,
        by_ms,
      );
  setMadeBack(sql, now);
  sql.exec("DELETE FROM claims WHERE start > ?1 OR (end > ?1 AND outcome IN ('missed', 'skipped'))", now);
  sql.exec("DELETE FROM meta WHERE key >= 'stagger:' AND key < 'stagger;'");
  sql.exec("DELETE FROM meta WHERE key >= 'gather:' AND key < 'gather;'");
  sql.kept?.forget();
  sql.kept?.begin(); // the transaction goes on
  for (const fact of ["pulled_at", "active_since"])
    if (Number(meta(sql, fact) ?? 0) > now) setMeta(sql, fact, String(now));
  setMeta(sql, "clock_was_at", String(Math.max(clockWasAt(sql), now + by_ms)));
  setLimitsBack(sql, now);
}

/**
 * How far (epoch ms) a clock had come that was set back; 0 if none was. It may have been right, and the one behind it wrong:
 * what was known of windows until then is forgotten.
 */
export function clockWasAt(sql: Store): number {
  return Number(meta(sql, "clock_was_at") ?? 0);
}
