import { readFile } from "node:fs/promises";
import { grow, numbers } from "../bench/grow.mjs";
import { aServer, freePort, ORG } from "../bench/server.mjs";
import { load } from "../../worker/local/typescript.mjs";

const PEOPLE = 20;
const SETTINGS = {
  PROVIDER_MODE: "mock",
  HARD_CURFEW_OFF: "",
  BLACKOUT_WINDOW: "",
  MAX_ON_DURATION_MIN: 1_440,
};

/**
 * The built product with so many simulated lights, twenty people who are signed in, and parks behind agents, as an
 * organization of their own. `errors` is what the worker has logged as an error.
 */
export async function aSoakCity({ lights, minutes }) {
  const errors = [];
  const inspectorPort = await freePort();
  const log = (level, line) => {
    if (level === "error" || line.includes('"level":"error"')) errors.push(line);
  };
  const server = await aServer(log, { inspectorPort });
  await grow(server.d1, { areas: Math.ceil(lights / 40), lights, schedules: 0 });
  await server.d1.batch(
    Object.entries(SETTINGS).map(([key, value]) =>
      server.d1
        .prepare("INSERT OR REPLACE INTO settings (org_id, key, value) VALUES (?, ?, ?)")
        .bind(ORG, key, JSON.stringify(value)),
    ),
  );
  await server.d1.prepare(`UPDATE devices SET current_state = 'off' WHERE id GLOB 'd[0-9]*'`).run();
  const { addParks } = await load("tests/soak/parks.ts");
  const parks = await addParks(server);
  await (await server.object()).sync(ORG);
  return {
    server,
    inspectorPort,
    errors,
    lights,
    parks,
    staff: await staffOf(server, ORG, minutes),
    technician: (await staffOf(server, parks.org_id, minutes, "technician", 1))[0],
    stop: async () => {
      await parks.stop();
      await server.stop();
    },
  };
}

/** Managers who have signed in, each with a token for the API and a cookie for pages. */
async function staffOf({ d1 }, org_id, minutes, name = "soak", people = PEOPLE) {
  const expires = Date.now() + (minutes + 60) * 60_000;
  const each = (insert) => d1.prepare(`${numbers(people)} ${insert} FROM n`);
  const id = `'${name}' || i`;
  await d1.batch([
    each(`INSERT INTO users (id, email, password_hash) SELECT ${id}, ${id} || '@parks.example', ''`),
    each(`INSERT INTO org_memberships (org_id, user_id, role) SELECT '${org_id}', ${id}, 'org_admin'`),
    each(
      `INSERT INTO sessions (id, org_id, user_id, expires_at) SELECT ${id}, '${org_id}', ${id}, '${new Date(expires).toISOString()}'`,
    ),
  ]);
  const secret = /^SESSION_SECRET="?([^"\n]+)/m.exec(await readFile(".dev.vars", "utf8"))[1];
  const { signToken } = await load("worker/auth/token.ts");
  return Promise.all(
    Array.from({ length: people }, async (_, n) => {
      const sub = `${name}${n + 1}`;
      const token = { sub, sid: sub, org: org_id, dept: null, exp: Math.floor(expires / 1_000) };
      const cookie = `lamplighter_session=${await signToken(secret, token, "cookie")}`;
      return { cookie, bearer: await signToken(secret, token, "bearer") };
    }),
  );
}
