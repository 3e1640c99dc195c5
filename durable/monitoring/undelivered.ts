import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, incident, openIncident, notifyOnce } from "#durable/reporting/incidents";
import { transact, type EngineContext } from "#durable/state/context";
import { OTHER_RELEASE } from "#durable/state/other-release";
import { counted } from "#domain/counted";

const INCIDENT = "outbox:set_aside";

/**
 * People are told once while the database refuses records, which nobody would miss otherwise; it is over when none is
 * set aside any more. Must run inside a transaction.
 */
export function noteUndelivered(context: EngineContext): void {
  const count = "SELECT COUNT(*) AS n FROM outbox WHERE set_aside IS NOT NULL AND set_aside <> ?";
  const { n } = context.sql.exec<{ n: number }>(count, OTHER_RELEASE).one();
  if (n === 0) return void closeIncident(context, INCIDENT);
  openIncident(context, INCIDENT);
  const records = counted(n, "record");
  const why = `the database refuses ${records}, see the scheduler's log`;
  const message = `The database refuses ${records}: see the scheduler's log.`;
  notifyOnce(context, INCIDENT, "records_refused", message, { what: "Not recorded", why, about: WHOLE_CITY });
}

/** Records have arrived, maybe the last that was set aside: a newer state takes the place of an older one. */
export function noteArrival(context: EngineContext): void {
  if (incident(context, INCIDENT)) transact(context, () => noteUndelivered(context));
}
