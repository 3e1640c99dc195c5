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
import { compare } from "#domain/compare";
import type { Bindings } from "#worker/wiring";
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

type Scheduler = {
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
    const { schema, made_at, isBehind, rows } = await withPatience(read(env, now), PATIENCE_MS);
    const schedulers = rows.map(({ org_id, name, ...row }) => ({
      org_id,
      name,
      report: row.report,
      state: stateOf(row, now),
    }));
    const swept_at = Math.max(0, ...rows.map((row) => Date.parse(row.swept_at ?? "") || 0));
    const sweep_ms = swept_at > 0 ? Math.max(0, now.getTime() - swept_at) : null;
    const isSwept = now.getTime() - (swept_at || startOf(made_at, rows)) <= SWEEP_LATE_MS;
    const detail = isBehind ? "The database lacks a migration" : detailOf(schedulers, isSwept);
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
  created_at: string;
  asked_at: string | null;
  silent_since: string | null;
  report: SchedulerReport | null;
  swept_at: string | null;
};

/** `schema` is the last migration that D1 has, `made_at` when it had the first (epoch ms). */
type Applied = { schema: string | null; made_at: number };
type Read = Applied & { isBehind: boolean; rows: Row[] };

async function read(env: Bindings, now: Date): Promise<Read> {
  const db = database(env.DB);
  const health = schedulerHealth(db);
  const { schema, made_at } = await withPatience(appliedSchema(db), DATABASE_PATIENCE_MS);
  const isBehind = schema !== null && schema < WANTED_SCHEMA;
  if (isBehind) return { schema, made_at, isBehind, rows: [] }; // a table that is read below may be missing
  const rows = await withPatience(health.list(), DATABASE_PATIENCE_MS);
  const stale = new Date(now.getTime() - FRESH_MS).toISOString();
  const unasked = rows.filter(({ asked_at }) => asked_at === null || asked_at <= stale);
  if (unasked.length === 0) return { schema, made_at, isBehind, rows };
  const longest = unasked.toSorted((a, b) => compare(a.asked_at ?? "", b.asked_at ?? "")).slice(0, MOST_ASKED);
  const ids = longest.map(({ org_id }) => org_id);
  const claimed = await health.claim(ids, now.toISOString(), stale);
  if (claimed.length === 0) return { schema, made_at, isBehind, rows };
  const answers = await askAll(
    env,
    "report",
    claimed.map(({ org_id }) => org_id),
    SCHEDULER_PATIENCE_MS,
  );
  await health.note(answers, now.toISOString(), { isSweep: false });
  return { schema, made_at, isBehind, rows: await health.list() };
}

/** From when on a sweep is owed (epoch ms): an organization is there, in a database that may be younger than it. */
function startOf(made_at: number, rows: Row[]): number {
  return Math.max(made_at, Math.min(...rows.map(({ created_at }) => Date.parse(created_at))));
}

/** No schema where the database was not made by wrangler; it is as if it were made just now. */
async function appliedSchema(db: Database): Promise<Applied> {
  const none = { schema: null, made_at: Infinity };
  try {
    const row = await db.get<{ name: string; made_at: number } | undefined>(
      sql`select name, (select 1000 * unixepoch(min(applied_at)) from d1_migrations) as made_at
        from d1_migrations order by id desc limit 1`,
    );
    return row ? { schema: row.name, made_at: row.made_at } : none;
  } catch (caught) {
    if (/no such table/.test(causeOf(caught).error)) return none;
    throw caught;
  }
}

/** One answer that was missed says little: an object that is switching a city may take a while. */
function stateOf({ silent_since, report }: Pick<Row, "silent_since" | "report">, now: Date): Scheduler["state"] {
  if (silent_since !== null && now.getTime() - Date.parse(silent_since) > LATE_MS) return "no_answer";
  if (report === null) return "unknown";
  return isLate(report) ? "late" : "on_time";
}

function detailOf(schedulers: Scheduler[], isSwept: boolean): string | undefined {
  if (!isSwept) return "The sweep does not run: the cron triggers are missing";
  const count = (state: Scheduler["state"]) => schedulers.filter((scheduler) => scheduler.state === state).length;
  const [silent, late] = [count("no_answer"), count("late")];
  if (silent + late === 0) return undefined;
  const parts = [silent > 0 && `${silent} not answering`, late > 0 && `${late} late`].filter(Boolean);
  return `Schedulers: ${parts.join(", ")}`;
}
