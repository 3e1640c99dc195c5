import { notify } from "./notify";
import type { EngineContext } from "#durable/state/context";

export type Incident = {
  incident: string;
  since: number;
  tries: number;
  sends: number;
  next_at: number;
  notified_at: number | null;
};

/** The incident, if it is open: `device:{id}` that fails, `hub:{id}` that is offline, `external:{id}` lit without a reason. */
export function incident(context: EngineContext, name: string): Incident | null {
  const [row] = context.sql.exec<Incident>("SELECT * FROM incidents WHERE incident = ?", name).toArray();
  return row ?? null;
}

/** Opens the incident, or finds it open; answers whether it is new. */
export function openIncident(context: EngineContext, name: string): boolean {
  const { rowsWritten } = context.sql.exec(
    "INSERT INTO incidents (incident, since) VALUES (?, ?) ON CONFLICT DO NOTHING",
    name,
    context.now(),
  );
  return rowsWritten > 0;
}

/** Tells people of an open incident, once until it is over. */
export function notifyOnce(context: EngineContext, name: string, kind: string, message: string): void {
  const open = incident(context, name);
  if (!open || open.notified_at !== null) return;
  context.sql.exec("UPDATE incidents SET notified_at = ? WHERE incident = ?", context.now(), name);
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
  context.sql.exec(
    "UPDATE incidents SET tries = tries + 1, sends = sends + ?, next_at = ? WHERE incident = ?",
    sends,
    context.now() + wait_ms,
    name,
  );
}

/** It is well again; answers the incident that ended, if one was open. */
export function closeIncident(context: EngineContext, name: string): Incident | null {
  const open = incident(context, name);
  if (open) context.sql.exec("DELETE FROM incidents WHERE incident = ?", name);
  return open;
}
