import { join } from "node:path";
import type { BuiltWorker } from "../../worker/local/runtime.mjs";
import { OFFSET_MS, shiftDate, shiftSql } from "./clock";

/** Where the worker under test takes SQL (`tests/support/server.ts`). */
export const SQL_PATH = "/under-test/sql";

/**
 * The worker with additions for tests: the run's clock (in the worker, its object, the object's alarm and the SQL), and
 * access to D1 and to the object's tables. No deployment has them.
 */
export function underTest(worker: BuiltWorker): BuiltWorker {
  const [clock, around] = ["clock.js", "under-test.js"].map((name) => join(worker.modulesRoot, name));
  return {
    ...worker,
    modules: [
      { type: "ESModule", path: String(around), contents: AROUND },
      { type: "ESModule", path: String(clock), contents: `(${shiftDate})(${OFFSET_MS});` },
      ...worker.modules,
    ],
  };
}

const AROUND = `
import "./clock.js";
import worker, { OrgScheduler as Real } from "./index.js";
export { Runner } from "./index.js";

const OFFSET_MS = ${OFFSET_MS};
${shiftSql}

/** D1 accepts only its own statements, so they are not wrapped. */
function shiftedEnv(env) {
  if (OFFSET_MS === 0) return env;
  const DB = new Proxy(env.DB, {
    get: (d1, key) => {
      if (key === "prepare") return (query) => d1.prepare(shiftSql(query, OFFSET_MS));
      const value = Reflect.get(d1, key);
      return typeof value === "function" ? value.bind(d1) : value;
    },
  });
  return { ...env, DB };
}

/** Converts alarms, which the runtime delivers by the real clock. */
function shiftedState(ctx) {
  if (OFFSET_MS === 0) return ctx;
  const { storage } = ctx;
  const { setAlarm, getAlarm } = storage;
  const define = (name, value) => Object.defineProperty(storage, name, { value });
  define("setAlarm", (at, ...more) => setAlarm.call(storage, Number(at) - OFFSET_MS, ...more));
  define("getAlarm", (...more) =>
    getAlarm.call(storage, ...more).then((at) => (at === null ? null : at + OFFSET_MS)));
  return ctx;
}

export class OrgScheduler extends Real {
  constructor(ctx, env) {
    super(shiftedState(ctx), shiftedEnv(env));
  }

  /** Runs a statement on the object's own tables. */
  query(statement, ...values) {
    return this.ctx.storage.sql.exec(statement, ...values).toArray();
  }
}

/** Runs statements, each with its values, on an organization's object or, without one, as one batch on D1. */
async function runSql(request, { DB, SCHEDULER }) {
  const { org_id, statements } = await request.json();
  if (org_id === undefined) {
    const results = await DB.batch(statements.map(([query, ...values]) => DB.prepare(query).bind(...values)));
    return Response.json(results.map((result) => result.results));
  }
  const object = SCHEDULER.get(SCHEDULER.idFromName(org_id));
  return Response.json(await Promise.all(statements.map((statement) => object.query(...statement))));
}

export default {
  fetch: (request, env, ctx) => {
    const isSql = new URL(request.url).pathname === "${SQL_PATH}";
    return isSql ? runSql(request, shiftedEnv(env)) : worker.fetch(request, shiftedEnv(env), ctx);
  },
  scheduled: (event, env, ctx) => worker.scheduled(event, shiftedEnv(env), ctx),
};
`;
