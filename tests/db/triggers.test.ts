import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import { expect, test } from "vitest";
import { PLANNED } from "#db/planned";
import { areas, calendars, closures, device_groups, devices, hubs, permits, policies, schedules } from "#db/schema";

const TABLES = {
  area: areas,
  hub: hubs,
  group: device_groups,
  calendar: calendars,
  policy: policies,
  permit: permits,
  closure: closures,
  device: devices,
  schedule: schedules,
};
/** Written once, or only together with other columns, so no trigger watches them. */
const NEVER_CHANGE_ALONE = ["id", "scope", "scope_id", "area_since", "created_at", "updated_at"];

test.each(Object.entries(PLANNED))(
  "the trigger watches every column of a %s that the engine plans from, and no other",
  async (kind, columns) => {
    const table = Object.entries(TABLES).find(([name]) => name === kind)?.[1];
    const name = table && getTableName(table);
    const trigger = await env.DB.prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?")
      .bind(`${name}_update_change`)
      .first<{ sql: string }>();
    const watched = /UPDATE OF ([\w, ]+) ON/.exec(trigger?.sql ?? "")?.[1]?.split(", ");
    const planned = Object.keys(columns).filter((column) => !NEVER_CHANGE_ALONE.includes(column));
    expect(watched?.toSorted()).toEqual(planned.toSorted());
  },
);
