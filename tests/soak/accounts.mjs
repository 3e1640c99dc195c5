import { ORG } from "../bench/server.mjs";

/** How long after its instant a window may begin or end by the log: the hub's turn, a retry, the reading after it. */
const SOON_MS = 60_000;

/** What was asked for and answered, but is not in the records: sentences. */
export async function lostOf(city, people) {
  return [...(await lostToggles(city, people)), ...(await lostWindows(city, people))];
}

/** Each toggle that was answered has an entry in the activity log; each that switched something has a call in History. */
async function lostToggles({ server, parks }, { toggles }) {
  const orgs = `('${ORG}', '${parks.org_id}')`;
  const { results: audits } = await server.d1
    .prepare(
      `SELECT resource_id, COUNT(*) AS n FROM audit_logs WHERE org_id IN ${orgs} AND action = 'toggle' GROUP BY resource_id`,
    )
    .all();
  const audited = new Map(audits.map(({ resource_id, n }) => [resource_id, n]));
  const pressed = grouped(toggles);
  const unaudited = [...pressed].flatMap(([device_id, all]) =>
    (audited.get(device_id) ?? 0) < all.length
      ? [`${device_id}: ${all.length} toggles, ${audited.get(device_id) ?? 0} audited`]
      : [],
  );
  const { results: calls } = await server.d1
    .prepare(`SELECT device_id, action, created_at FROM device_events WHERE org_id IN ${orgs} AND result = 'success'`)
    .all();
  const called = grouped(calls);
  const unrecorded = toggles
    .filter(({ success, action }) => success && action !== "auto")
    .filter(({ device_id, action, at, answered_at }) =>
      (called.get(device_id) ?? []).every((call) => {
        const called_at = Date.parse(call.created_at);
        return call.action !== action || called_at < at - 1_000 || called_at > answered_at + 1_000;
      }),
    )
    .map(({ device_id, action, at }) => `${device_id}: ${action} of ${new Date(at).toISOString()} is not in History`);
  return [...unaudited, ...unrecorded];
}

/** Each booking went on and off, and was told so. */
async function lostWindows({ server }, { bookings }) {
  const { results } = await server.d1
    .prepare("SELECT device_id, action, result, ts FROM scheduler_events WHERE org_id = ? AND source = 'scheduler'")
    .bind(ORG)
    .all();
  const told = grouped(results);
  return bookings.flatMap(({ device_id, start, end }) =>
    [
      ["on", start],
      ["off", end],
    ].flatMap(([action, at]) => {
      const isTold = (told.get(device_id) ?? []).some(
        (line) =>
          line.action === action &&
          line.result === "ok" &&
          Date.parse(line.ts) >= at &&
          Date.parse(line.ts) <= at + SOON_MS,
      );
      const since = (told.get(device_id) ?? [])
        .filter((line) => Date.parse(line.ts) >= at)
        .map((line) => `${line.ts} ${line.action} ${line.result}`);
      const instead = since.length === 0 ? "nothing" : since.slice(0, 4).join(", ");
      return isTold ? [] : [`${device_id}: no ${action} at ${new Date(at).toISOString()}, but ${instead}`];
    }),
  );
}

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row.device_id);
    if (group) group.push(row);
    else groups.set(row.device_id, [row]);
  }
  return groups;
}
