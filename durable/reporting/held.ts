import type { AlarmKind } from "#domain/enums";
import type { EngineContext } from "#durable/state/context";
import { dropTimer, putTimer } from "#durable/state/timers";
import type { Heard } from "./recipients";

/** More of a kind are counted only: no digest has as many lines. */
const MOST_KEPT = 50;

type HeldRow = { kind: AlarmKind; incident: string; since: number; dept_id: string | null; message: string };
type HeldCount = { kind: AlarmKind; n: number; first_at: number };

/** What quiet hours have held back of somebody's alarms, since when (epoch ms; null where there is nothing). */
export type Held = { rows: HeldRow[]; counts: HeldCount[]; first_at: number | null };

/** Keeps an alarm for the digest at the end of somebody's quiet hours (epoch ms). Must run inside a transaction. */
export function hold(context: EngineContext, user_id: string, until: number, alarm: Heard): void {
  const { sql } = context;
  const { n } = sql
    .exec<{ n: number }>(
      `INSERT INTO held_counts (user_id, kind, n, first_at) VALUES (?, ?, 1, ?)
       ON CONFLICT (user_id, kind) DO UPDATE SET n = n + 1 RETURNING n`,
      user_id,
      alarm.kind,
      context.now(),
    )
    .one();
  putTimer(sql, "digest", user_id, until);
  if (n > MOST_KEPT) return;
  sql.exec(
    "INSERT OR IGNORE INTO held_messages (user_id, kind, incident, since, dept_id, message) VALUES (?, ?, ?, ?, ?, ?)",
    user_id,
    alarm.kind,
    alarm.name,
    alarm.since,
    alarm.dept_id,
    alarm.text,
  );
}

/** Takes it out. Must run inside a transaction. */
export function takeHeld({ sql }: EngineContext, user_id: string): Held {
  const rows = sql
    .exec<HeldRow>("SELECT kind, incident, since, dept_id, message FROM held_messages WHERE user_id = ?", user_id)
    .toArray();
  const counts = sql.exec<HeldCount>("SELECT kind, n, first_at FROM held_counts WHERE user_id = ?", user_id).toArray();
  sql.exec("DELETE FROM held_messages WHERE user_id = ?", user_id);
  sql.exec("DELETE FROM held_counts WHERE user_id = ?", user_id);
  dropTimer(sql, "digest", user_id);
  const first_at = counts.length === 0 ? null : Math.min(...counts.map((count) => count.first_at));
  return { rows, counts, first_at };
}
