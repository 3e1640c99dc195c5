import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { recordedDatabase } from "../support/recorded";

const ENTRIES = 2_000;

beforeAll(async () => {
  await seedCity();
  // Ten entries an instant.
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ENTRIES})
     INSERT INTO device_events (id, org_id, created_at, device_id, action, result)
     SELECT 'e' || i, 'city', strftime('%Y-%m-%dT%H:%M:00.000Z', '2026-11-01', (i / 10) || ' minutes'), 'gate', 'on', 'success' FROM n`,
  ).run();
});

test("a page far into the days that are asked for reads none of the pages before it", async () => {
  for (const [sort, cursor, first] of [
    ["newest", "2026-11-01T00:30:00.000Z~e300", "e299"],
    ["oldest", "2026-11-01T02:50:00.000Z~e1709", "e1710"],
  ]) {
    const { db, statements } = recordedDatabase();
    const days = { from: "2026-10-31", to: "2026-11-02" };
    const page = await servicesOf("admin", { db }).history.page({ sort, cursor, ...days });
    expect([page.rows.length, page.rows[0]?.id]).toEqual([100, first]);
    expect(statements.reduce((sum, { rows_read }) => sum + rows_read, 0)).toBeLessThan(120);
  }
});
