import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { auditLogs } from "#db/audit";
import { deviceEvents } from "#db/device-events";
import type { Piece } from "#db/log";
import { schedulerEvents } from "#db/scheduler-events";
import { archiveNotes } from "#domain/lists/archive";
import { auditView, eventView, historyView, type Place } from "#domain/lists/log-query";
import { AUDIT_IN_FILES, EVENTS_IN_FILES, HISTORY_IN_FILES } from "#worker/archive/archived-logs";
import { logReader, type StoredLog } from "#worker/archive/log-reader";
import { A_PAGE, A_PIECE_OF_AN_EXPORT } from "#worker/archive/read-log";
import { NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { recordedDatabase } from "../support/recorded";

const ENTRIES = 2_000;
/** How many entries a page of these tests looks through. */
const STORED = 320;

beforeAll(async () => {
  await seedCity();
  const n = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ENTRIES})`;
  // Ten entries an instant, of which one in a hundred is looked for.
  const at = "strftime('%Y-%m-%dT%H:%M:00.000Z', '2026-11-01', (i / 10) || ' minutes')";
  await env.DB.batch([
    env.DB.prepare(
      `${n} INSERT INTO device_events (id, org_id, created_at, device_id, dept_id, device_name, action, result)
       SELECT 'e' || i, 'city', ${at}, 'gate', iif(i % 100, 'rivers', NULL), iif(i % 100, 'gate', 'rare') || ' light', 'on', 'success' FROM n`,
    ),
    env.DB.prepare(
      `${n} INSERT INTO scheduler_events (id, org_id, ts, device_id, source, action, result, attempts)
       SELECT 'e' || i, 'city', ${at}, 'gate', 'manual', 'on', iif(i % 100, 'ok', 'fail'), 1 FROM n`,
    ),
    env.DB.prepare(
      `${n} INSERT INTO audit_logs (id, org_id, created_at, action, resource_type)
       SELECT 'e' || i, 'city', ${at}, 'update', iif(i % 100, 'device', 'hub') FROM n`,
    ),
  ]);
});

type Reader = (
  piece: Piece,
  reach?: typeof A_PAGE,
) => Promise<{ ids: string[]; stop: Place | null; rows_read: number }>;

/** Reads a log for `view`, and says how many rows of the database that took. */
function readerOf(name: "history" | "events" | "activity" | "hidden"): Reader {
  const { db, statements } = recordedDatabase();
  async function read<View extends { q: string[] }, Row extends { id: string }>(
    log: StoredLog<View, Row>,
    view: View,
    piece: Piece,
    reach = { ...A_PAGE, stored: STORED },
  ) {
    statements.length = 0;
    const found = await logReader({ org_id: "city", archive: env.ARCHIVE, now: () => NOW }, log).read(
      view,
      piece,
      reach,
    );
    const rows_read = statements.reduce((sum, statement) => sum + statement.rows_read, 0);
    return { ids: found.rows.map(({ id }) => id), stop: found.stop?.at ?? null, rows_read };
  }
  const [history, events, audit] = [deviceEvents(db, "city"), schedulerEvents(db, "city"), auditLogs(db, "city")];
  const ofHistory = (view: object, depts: string[] | null): Reader => {
    const asked = historyView.parse(view);
    const placeOf = ({ created_at: at, id }: { created_at: string; id: string }) => ({ at, id });
    const log = { nthPlace: history.nthPlace, placeOf, files: HISTORY_IN_FILES, depts };
    return (piece, reach) =>
      read(
        { ...log, read: async (_, part) => ({ rows: await history.piece(asked, depts, part), isCut: false }) },
        asked,
        piece,
        reach,
      );
  };
  if (name === "history") return ofHistory({ q: "rare" }, null);
  if (name === "hidden") return ofHistory({ device: "gate" }, []);
  if (name === "events") {
    const asked = eventView.parse({ result: "fail" });
    const placeOf = ({ ts, id }: { ts: string; id: string }) => ({ at: ts, id });
    const log = { nthPlace: events.nthPlace, placeOf, files: EVENTS_IN_FILES, depts: null };
    return (piece, reach) =>
      read(
        { ...log, read: async (_, part) => ({ rows: await events.piece(asked, null, part), isCut: false }) },
        asked,
        piece,
        reach,
      );
  }
  const asked = auditView.parse({ resource: "hub" });
  const placeOf = ({ created_at: at, id }: { created_at: string; id: string }) => ({ at, id });
  const log = { read: audit.piece, nthPlace: audit.nthPlace, placeOf, files: AUDIT_IN_FILES, depts: null };
  return (piece, reach) => read(log, asked, piece, reach);
}

const LOGS = ["history", "hidden", "events", "activity"] as const;
const RARE = Array.from({ length: ENTRIES / 100 }, (_, n) => `e${(n + 1) * 100}`);

test.each(LOGS)("a search in the %s looks through so much for a page and no more, and misses nothing", async (name) => {
  const read = readerOf(name);
  for (const [sort, since] of [
    ["newest", undefined],
    ["oldest", "2026-10-01T00:00:00.000Z"],
  ] as const) {
    const seen: string[] = [];
    let after: Place | undefined;
    let pages = 0;
    do {
      const { ids, stop, rows_read } = await read({ sort, since, after, limit: 10 });
      seen.push(...ids);
      // Each entry is looked at once for its place and once for what it says.
      expect(rows_read).toBeLessThan(2.2 * STORED);
      after = stop ?? undefined;
      pages += 1;
    } while (after);
    expect(pages).toBe(Math.floor(ENTRIES / STORED) + 1);
    expect(seen.toSorted()).toEqual(RARE.toSorted());
  }
});

test.each(LOGS)("a search in the %s for days of the archive goes on where a page found nothing", async (name) => {
  const read = readerOf(name);
  const seen: string[] = [];
  let after: Place | undefined;
  do {
    const section = { sort: "newest", since: "2026-08-01T00:00:00.000Z" } as const;
    const { ids, stop } = await read({ ...section, after, limit: 10 }, { ...A_PAGE, stored: 64 });
    seen.push(...ids);
    after = stop ?? undefined;
  } while (after);
  expect(seen).toEqual(RARE.toReversed());
});

test("a search that fills its page early looks no further, and an export looks through all", async () => {
  const read = readerOf("history");
  const first = await read({ sort: "newest", limit: 1 });
  expect(first).toMatchObject({ ids: ["e2000"], stop: null });
  expect(first.rows_read).toBeLessThan(STORED / 2);
  const all = await read({ sort: "newest", limit: 100 }, A_PIECE_OF_AN_EXPORT);
  expect(all).toMatchObject({ ids: RARE.toReversed(), stop: null });
});

test("a page that stopped says how far it came, with and without an archive", () => {
  const facts = {
    sort: "newest",
    isFromFiles: false,
    isAtBorder: false,
    stopped: "2026-11-09",
    unreadable: null,
  } as const;
  for (const before of [null, "2026-08-22"]) {
    expect(archiveNotes({ ...facts, before }).map(({ text }) => text)).toEqual([
      "Looked back to Nov 9, 2026. Older goes on from there.",
    ]);
  }
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
