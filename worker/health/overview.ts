import { sql } from "drizzle-orm";
import { database, type Database } from "#db/database";
import { schedulerHealth } from "#db/scheduler-health";
import { WANTED_SCHEMA } from "#db/wanted-schema";
import { causeOf } from "#domain/errors";
import {
  isLate,
  LATE_MS,
  SWEEP_LATE_MS,
  type PublicHealth,
  type SchedulerReport,
} from "#domain/alarms/scheduler-health";
import { VERSION } from "#domain/version";
import type { Bindings } from "#worker/context";
import { askAll } from "#worker/health/ask";
import { log } from "#worker/log";
import { withPatience } from "#worker/patience";

/** An answer that is younger is not asked for again, by whomever. */
const FRESH_MS = 30_000;
/** Uptime monitors wait for some ten seconds in all. */
const DATABASE_PATIENCE_MS = 3_000;
const SCHEDULER_PATIENCE_MS = 2_000;
/** Six are asked at a time, so all of these have answered or are given up within two rounds; the sweep asks all. */
const MOST_ASKED = 12;
const PATIENCE_MS = 9_000;

export type Scheduler = {
  org_id: string;
  name: string;
  state: PublicHealth["organizations"][number]["state"];
  report: SchedulerReport | null;
};

export type Overview = Omit<PublicHealth, "organizations"> & { schedulers: Scheduler[] };

/**
 * How the deployment is: the database, and each organization's scheduler as it was found half a minute ago at most. Answers
 * within ten seconds, whatever hangs. An organization's object is asked once in half a minute at most, however many ask us:
 * it wakes every minute anyway, for its watchdog, unless that is made slower.
 */
export async function overview(env: Bindings, now: Date): Promise<Overview> {
  const about = { version: VERSION, commit: env.COMMIT || null };
  try {
    const { schema, isBehind, rows } = await withPatience(read(env, now), PATIENCE_MS);
    const schedulers = rows.map(({ org_id, name, ...row }) => ({
      org_id,
      name,
      report: row.report,
      state: stateOf(row, now),
    }));
    const swept_at = Math.max(...rows.map((row) => Date.parse(row.swept_at ?? "") || 0));
    const sweep_ms = swept_at > 0 ? Math.max(0, now.getTime() - swept_at) : null;
    const detail = isBehind ? "The database lacks a migration" : detailOf(schedulers, sweep_ms);
    return {
      status: detail === undefined ? "ok" : "failing",
      ...(detail === undefined ? {} : { detail }),
      ...about,
      database: { ok: !isBehind, schema, wanted_schema: WANTED_SCHEMA },
      last_sweep_age_sec: sweep_ms === null ? null : Math.round(sweep_ms / 1000),
      schedulers,
    };
  } catch (caught) {
    log("error", "health.database_away", causeOf(caught));
    const database = { ok: false, schema: null, wanted_schema: WANTED_SCHEMA };
    const detail = "The database does not answer";
    return { status: "failing", detail, ...about, database, last_sweep_age_sec: null, schedulers: [] };
  }
}

type Row = {
  org_id: string;
  name: string;
  asked_at: string | null;
  silent_since: string | null;
  report: SchedulerReport | null;
  swept_at: string | null;
};

type Read = { schema: string | null; isBehind: boolean; rows: Row[] };

async function read(env: Bindings, now: Date): Promise<Read> {
  const db = database(env.DB);
  const health = schedulerHealth(db);
  const schema = await withPatience(appliedSchema(db), DATABASE_PATIENCE_MS);
  const isBehind = schema !== null && schema < WANTED_SCHEMA;
  if (isBehind) return { schema, isBehind, rows: [] }; // a table that is read below may be missing
  const rows = await withPatience(health.list(), DATABASE_PATIENCE_MS);
  const stale = new Date(now.getTime() - FRESH_MS).toISOString();
  const unasked = rows.filter(({ asked_at }) => asked_at === null || asked_at <= stale);
  if (unasked.length === 0) return { schema, isBehind, rows };
  const longest = unasked.toSorted((a, b) => compare(a.asked_at ?? "", b.asked_at ?? "")).slice(0, MOST_ASKED);
  const ids = longest.map(({ org_id }) => org_id);
  const claimed = await health.claim(ids, now.toISOString(), stale);
  if (claimed.length === 0) return { schema, isBehind, rows };
  const answers = await askAll(
    env,
    "report",
    claimed.map(({ org_id }) => org_id),
    SCHEDULER_PATIENCE_MS,
  );
  await health.note(answers, now.toISOString(), { isSweep: false });
  return { schema, isBehind, rows: await health.list() };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The last migration that D1 has; null where it was not made by wrangler. */
async function appliedSchema(db: Database): Promise<string | null> {
  try {
    const row = await db.get<{ name: string } | undefined>(
      sql`select name from d1_migrations order by id desc limit 1`,
    );
    return row?.name ?? null;
  } catch (caught) {
    if (/no such table/.test(causeOf(caught).error)) return null;
    throw caught;
  }
}

/** One answer that was missed says little: an object that is switching a city may take a while. */
function stateOf({ silent_since, report }: Pick<Row, "silent_since" | "report">, now: Date): Scheduler["state"] {
  if (silent_since !== null && now.getTime() - Date.parse(silent_since) > LATE_MS) return "no_answer";
  if (report === null) return "unknown";
  return isLate(report) ? "late" : "on_time";
}

function detailOf(schedulers: Scheduler[], sweep_ms: number | null): string | undefined {
  if (sweep_ms !== null && sweep_ms > SWEEP_LATE_MS) return "The sweep does not run: the cron triggers are missing";
  const count = (state: Scheduler["state"]) => schedulers.filter((scheduler) => scheduler.state === state).length;
  const [silent, late] = [count("no_answer"), count("late")];
  if (silent + late === 0) return undefined;
  const parts = [silent > 0 && `${silent} not answering`, late > 0 && `${late} late`].filter(Boolean);
  return `Schedulers: ${parts.join(", ")}`;
}
