import { notify } from "./notify";
import { keptTable } from "#durable/state/kept";
import type { EngineContext } from "#durable/state/context";

/**
 * What went wrong and is not over: `since` when, `tries` and `sends` of the watchdog that were in vain, when it may try
 * `next_at`, and when people were told. Instants are epoch ms.
 */
export type Incident = {
  incident: string;
  since: number;
  tries: number;
  sends: number;
  next_at: number;
  notified_at: number | null;
};

const incidents = keptTable<Incident>({
  read: (sql, name) => sql.exec<Incident>("SELECT * FROM incidents WHERE incident = ?", name).toArray()[0] ?? null,
  write: (sql, _, { incident, since, tries, sends, next_at, notified_at }) => {
    sql.exec(
      `INSERT OR REPLACE INTO incidents (incident, since, tries, sends, next_at, notified_at) VALUES (?, ?, ?, ?, ?, ?)`,
      incident,
      since,
      tries,
      sends,
      next_at,
      notified_at,
    );
  },
  drop: (sql, name) => void sql.exec("DELETE FROM incidents WHERE incident = ?", name),
  most: 30_000,
});

/** The incident, if it is open: `device:{id}` that fails, `hub:{id}` that is offline, `external:{id}` lit without a reason. */
export function incident({ sql }: EngineContext, name: string): Incident | null {
  return incidents(sql).get(name);
}

/** Opens the incident, or finds it open; answers whether it is new. */
export function openIncident(context: EngineContext, name: string): boolean {
  if (incident(context, name)) return false;
  const made = { incident: name, since: context.now(), tries: 0, sends: 0, next_at: 0, notified_at: null };
  incidents(context.sql).put(name, made);
  return true;
}

/** Changes what is known of an open incident; one that is over stays so. */
export function updateIncident(context: EngineContext, name: string, change: Partial<Incident>): void {
  const open = incident(context, name);
  if (open) incidents(context.sql).put(name, { ...open, ...change });
}

/** The names of the open incidents of a kind, `device` for `device:{id}`, without the kind. */
export function openIncidents({ sql }: EngineContext, kind: string): string[] {
  sql.kept?.write();
  return sql
    .exec<{ incident: string }>(
      "SELECT incident FROM incidents WHERE incident > ? AND incident < ?",
      `${kind}:`,
      `${kind};`, // the character after the colon
    )
    .toArray()
    .map((row) => row.incident.slice(kind.length + 1));
}

/** Tells people of an open incident, once until it is over. */
export function notifyOnce(context: EngineContext, name: string, kind: string, message: string): void {
  const open = incident(context, name);
  if (!open || open.notified_at !== null) return;
  updateIncident(context, name, { notified_at: context.now() });
  notify(context, `${name}:${open.since}`, kind, message);
}

/**
 * Counts `sends` that were in vain, and asks for the watchdog's next try, later each time: after the interval, twice that
 * ... at most 30 minutes.
 */
export function spaceOut(context: EngineContext, name: string, interval_sec: number, sends: number): void {
  const open = incident(context, name);
  if (!open) return;
  const wait_ms = Math.min(interval_sec * 1000 * 2 ** open.tries, 30 * 60_000);
  const next_at = context.now() + wait_ms;
  updateIncident(context, name, { tries: open.tries + 1, sends: open.sends + sends, next_at });
}

/** It is well again; answers the incident that ended, if one was open. */
export function closeIncident(context: EngineContext, name: string): Incident | null {
  const open = incident(context, name);
  if (open) incidents(context.sql).drop(name);
  return open;
}
