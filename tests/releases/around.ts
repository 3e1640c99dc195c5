/** Where a worker around another takes what a test wants of it. */
export const DOOR = "/under-test";

/**
 * The module around a released or a new worker: it sets the clock of the worker, of its objects, their alarms and the SQL;
 * gives access to the objects' tables; takes D1 from the objects; and fills an object that is made with what `states` has for its
 * organization.
 */
export function around(at: number, states: Record<string, string[]>): string {
  return `
import { clock } from "./clock.js";
import worker, { OrgScheduler as Real } from "./index.js";
export { Runner } from "./index.js";

clock.offset = ${at} - clock.real();
const STATES = ${JSON.stringify(states)};
let isD1Away = false;

function shifted(query) {
  const seconds = clock.offset / 1000;
  return query.replaceAll("'now'", "'now', '" + (seconds < 0 ? "" : "+") + seconds + " seconds'");
}

function shiftedEnv(env, mayBeAway) {
  const DB = new Proxy(env.DB, {
    get: (d1, key) => {
      if (mayBeAway && isD1Away) throw new Error("D1 is away");
      if (key === "prepare") return (query) => d1.prepare(shifted(query));
      const value = Reflect.get(d1, key);
      return typeof value === "function" ? value.bind(d1) : value;
    },
  });
  return { ...env, DB };
}

function shiftedState(ctx) {
  const { storage } = ctx;
  const { setAlarm, getAlarm } = storage;
  const define = (name, value) => Object.defineProperty(storage, name, { value });
  define("setAlarm", (at, ...more) => setAlarm.call(storage, Number(at) - clock.offset, ...more));
  define("getAlarm", (...more) => getAlarm.call(storage, ...more).then((at) => (at === null ? null : at + clock.offset)));
  const { sql } = storage;
  const isNew = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'meta'").toArray().length === 0;
  const state = STATES[ctx.id.name];
  if (isNew && state) storage.transactionSync(() => state.forEach((statement) => sql.exec(statement)));
  return ctx;
}

export class OrgScheduler extends Real {
  constructor(ctx, env) {
    super(shiftedState(ctx), shiftedEnv(env, true));
  }

  runSql(statement, ...values) {
    return this.ctx.storage.sql.exec(statement, ...values).toArray();
  }
}

const DOORS = {
  clock: async ({ at }) => {
    clock.offset = at - clock.real();
  },
  away: async ({ isAway }) => {
    isD1Away = isAway;
  },
  ring: (asked, object) => object.ensure(asked.org_id),
  sql: ({ statement, values }, object) => object.runSql(statement, ...values),
  sync: (asked, object) => object.sync(asked.org_id),
};

export default {
  fetch: async (request, env, ctx) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("${DOOR}/")) return worker.fetch(request, shiftedEnv(env), ctx);
    const asked = await request.json();
    const object = asked.org_id && env.SCHEDULER.get(env.SCHEDULER.idFromName(asked.org_id));
    return Response.json((await DOORS[pathname.slice(${DOOR.length + 1})](asked, object)) ?? null);
  },
  scheduled: (event, env, ctx) => worker.scheduled(event, shiftedEnv(env), ctx),
};
`;
}

/** Replaces Date before anything else is loaded. */
export const CLOCK = `
const Real = globalThis.Date;
export const clock = { offset: 0, real: Real.now };
const now = () => Real.now() + clock.offset;
globalThis.Date = new Proxy(Real, {
  construct: (_, given, target) => Reflect.construct(Real, given.length === 0 ? [now()] : given, target),
  apply: () => new Real(now()).toString(),
  get: (_, key) => (key === "now" ? now : Reflect.get(Real, key)),
});
`;
