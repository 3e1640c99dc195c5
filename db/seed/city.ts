import { getTableColumns } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/database";
import * as t from "#db/schema";
import { areaRows, hubRows, lamps } from "./hubs-and-devices";
import { stateAfter, weekOf } from "./history";
import { auditRows, connectivityRows, workorderRows } from "./workorders-and-logs";
import { ACCOUNTS, deptMembershipRows, membershipRows, userRows } from "./people";
import { DEPARTMENTS, ORGANIZATIONS } from "./places";
import { scheduleRows } from "./plans";

/** D1 accepts a hundred bound parameters per statement. */
const MOST_PARAMETERS = 100;

/**
 * Creates the demo city, all or nothing, unless an organization exists. Returns whether it did. The same day gives the
 * same plans; `now` is in epoch ms.
 */
export async function seedCity(db: Database, now: number, hash: () => Promise<string>): Promise<boolean> {
  if ((await db.$count(t.organizations)) > 0) return false;
  const created_at = new Date(now - 60 * 86_400_000).toISOString();
  const lights = lamps(created_at);
  const plans = scheduleRows(now, created_at);
  const weeks = lights.map((lamp) => {
    const own = plans.filter((plan) => plan.device_id === lamp.id);
    return weekOf(lamp, own, now);
  });
  const devices = lights.map((lamp, n) => ({ ...lamp, ...stateAfter(lamp, weeks[n], now) }));
  const device_events = weeks.flatMap((week) => week.device_events);
  const scheduler_events = weeks.flatMap((week) => week.scheduler_events);

  const [first, ...rest] = [
    ...inserts(db, t.organizations, ORGANIZATIONS),
    ...inserts(db, t.users, userRows(await hash(), created_at)),
    ...inserts(db, t.org_memberships, membershipRows(created_at)),
    ...inserts(db, t.departments, DEPARTMENTS),
    ...inserts(db, t.dept_memberships, deptMembershipRows(created_at)),
    ...inserts(db, t.areas, areaRows(created_at)),
    ...inserts(db, t.hubs, hubRows(created_at, now)),
    ...inserts(db, t.devices, devices),
    ...inserts(db, t.schedules, plans),
    ...inserts(db, t.workorders, workorderRows(now)),
    ...inserts(db, t.device_events, device_events),
    ...inserts(db, t.scheduler_events, scheduler_events),
    ...inserts(db, t.connectivity_logs, connectivityRows(lights, now)),
    ...inserts(db, t.audit_logs, auditRows(now)),
  ];
  if (first) await db.batch([first, ...rest]);
  return true;
}

/** The demo accounts, and what each of them shows. */
export async function demoAccounts(db: Database): Promise<{ email: string; shows: string }[]> {
  const here = await db.select({ email: t.users.email }).from(t.users);
  return ACCOUNTS.filter(({ email }) => here.some((user) => user.email === email));
}

function inserts<T extends SQLiteTable>(db: Database, table: T, rows: T["$inferInsert"][]): BatchItem<"sqlite">[] {
  const size = Math.floor(MOST_PARAMETERS / Object.keys(getTableColumns(table)).length);
  const chunks = Array.from({ length: Math.ceil(rows.length / size) }, (_, n) => rows.slice(n * size, (n + 1) * size));
  return chunks.map((chunk) => db.insert(table).values(chunk));
}
