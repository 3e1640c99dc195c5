import { ORG } from "./server.mjs";

/** So many areas, a hub and their share of lights in each, and weekly schedules, beside what the demo city has. */
export async function grow(d1, { areas, lights, schedules }) {
  await d1.batch(
    [
      `${numbers(areas)} INSERT INTO areas (id, org_id, name) SELECT 'a' || i, '${ORG}', 'Area ' || i FROM n`,
      `${numbers(areas)} INSERT INTO hubs (id, org_id, area_id, name) SELECT 'h' || i, '${ORG}', 'a' || i, 'Hub' FROM n`,
      `${numbers(lights)} INSERT INTO devices (id, org_id, area_id, hub_id, name, model, current_state)
         SELECT 'd' || i, '${ORG}', 'a' || (i % ${areas} + 1), 'h' || (i % ${areas} + 1),
                printf('Light %05d', i), 'LumaPole 60', iif(i % 3 = 0, 'on', 'off') FROM n`,
      `${numbers(schedules)} INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone)
         SELECT 's' || i, '${ORG}', 'd' || (i % ${lights} + 1), 'Practice', printf('2026-01-05T%02d:%02d:00.000Z', i % 4, i % 60),
                printf('2026-01-05T%02d:%02d:00.000Z', i % 4 + 2, i % 60), 'FREQ=WEEKLY;BYDAY=MO,WE', 'UTC' FROM n`,
    ].map((sql) => d1.prepare(sql)),
  );
}

export function numbers(count) {
  return `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
}
