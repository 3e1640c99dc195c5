import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { load } from "../../worker/local/typescript.mjs";
import { numbers } from "./grow.mjs";
import { aServer, cpuOf, ORG } from "./server.mjs";
import { openSocket } from "./socket.mjs";
import { prepareStorm, stormIsOver } from "./storm.mjs";

const BROWSERS = 200;
const POLL_MS = 20_000;
/** What a dashboard loads again, and the app's own pause between, for so many browsers. */
const SCREEN = "/dashboard.data";
const COUNTS_PAUSE_MS = 25_000;
const SETTLED_MS = 15_000;
const QUIET_MS = 20_000;

/** A sunset of all lights: with nobody watching, with browsers that are told, and with as many that poll every 20 s. */
export async function measure({ lights, patience_ms }) {
  const nobody = await sunset(lights, patience_ms, () => ({ stop: () => ({}) }));
  const told = await sunset(lights, patience_ms, (server, cookies) => listen(server, cookies, { loads: false }));
  const loading = await sunset(lights, patience_ms, (server, cookies) => listen(server, cookies, { loads: true }));
  const polled = await sunset(lights, patience_ms, poll);
  const above = ({ cpu }) => (cpu === null || nobody.cpu === null ? null : (cpu - nobody.cpu) / lights);
  const ratio = (of) =>
    above(of) > 0 && above(polled) !== null ? `polling takes ${(above(polled) / above(of)).toFixed(1)} times that` : "";
  const of = `${BROWSERS} browsers, ${lights} lights at sunset`;
  const row = (work, value, note = "") => ({ work, unit: "ms", value, note });
  return [
    row(`${lights} lights at sunset, nobody watches: CPU a change`, nobody.cpu === null ? null : nobody.cpu / lights),
    row(`${of}: told, CPU a change above that`, above(told), `${told.note}; ${ratio(told)}`),
    row(`${of}: told, on dashboards that load again`, above(loading), `${loading.note}; ${ratio(loading)}`),
    row(`${of}: polling dashboards`, above(polled), polled.note),
    row(`${BROWSERS} browsers told, nothing happens: CPU a second`, told.quiet),
    row(`${BROWSERS} browsers polling, nothing happens: CPU a second`, polled.quiet),
  ];
}

async function sunset(lights, patience_ms, watch) {
  const server = await aServer();
  try {
    const cookies = await cookiesOf(server);
    const { due } = await prepareStorm(server, lights, null);
    const watching = await watch(server, cookies);
    await sleep(due - Date.now());
    const before = await cpuOf(server.pid);
    const isOver = await stormIsOver(server, lights, due + patience_ms);
    const cpu = isOver === null ? null : (await cpuOf(server.pid)) - before;
    const note = watching.note?.();
    await sleep(SETTLED_MS);
    const quiet_from = await cpuOf(server.pid);
    await sleep(QUIET_MS);
    const quiet = ((await cpuOf(server.pid)) - quiet_from) / (QUIET_MS / 1_000);
    await watching.stop();
    return { cpu, quiet, note };
  } finally {
    await server.stop();
  }
}

/** A manager a browser, each with a session and its cookie. */
async function cookiesOf({ d1 }) {
  const expires = Date.now() + 3_600_000;
  const id = "'watcher' || i";
  const each = (insert) => d1.prepare(`${numbers(BROWSERS)} ${insert} FROM n`);
  await d1.batch([
    each(`INSERT INTO users (id, email, password_hash) SELECT ${id}, ${id} || '@parks.example', ''`),
    each(`INSERT INTO org_memberships (org_id, user_id, role) SELECT '${ORG}', ${id}, 'manager'`),
    each(
      `INSERT INTO sessions (id, org_id, user_id, expires_at) SELECT ${id}, '${ORG}', ${id}, '${new Date(expires).toISOString()}'`,
    ),
  ]);
  const secret = /^SESSION_SECRET="?([^"\n]+)/m.exec(await readFile(".dev.vars", "utf8"))[1];
  const { signToken } = await load("worker/auth/token.ts");
  return Promise.all(
    Array.from({ length: BROWSERS }, async (_, n) => {
      const sub = `watcher${n + 1}`;
      const exp = Math.floor(expires / 1_000);
      return `lamplighter_session=${await signToken(secret, { sub, sid: sub, org: ORG, dept: null, exp }, "cookie")}`;
    }),
  );
}

async function listen({ url }, cookies, { loads }) {
  const heard = { messages: 0, bytes: 0, requests: 0 };
  const sockets = await Promise.all(
    cookies.map((cookie) => openSocket(`${url}/live?age=0`, { Cookie: cookie, Origin: url }, hearing(cookie))),
  );
  return {
    note: () => `${heard.messages} messages, ${Math.round(heard.bytes / 1_024)} kB, ${heard.requests} requests`,
    stop: () => sockets.forEach((socket) => socket.destroy()),
  };

  function hearing(cookie) {
    let next_at = 0;
    let isAsked = false;
    return (bytes) => {
      heard.messages += 1;
      heard.bytes += bytes;
      if (!loads || isAsked) return;
      isAsked = true;
      setTimeout(
        () => {
          isAsked = false;
          next_at = Date.now() + COUNTS_PAUSE_MS;
          heard.requests += 1;
          void ask(url, SCREEN, cookie);
        },
        Math.max(next_at - Date.now(), Math.random() * 1_000),
      );
    };
  }
}

async function poll({ url }, cookies) {
  const heard = { requests: 0 };
  const timers = cookies.map((cookie, n) => {
    const look = async () => {
      heard.requests += 2;
      await ask(url, "/api/alive", cookie);
      await ask(url, SCREEN, cookie);
    };
    const timer = { every: null };
    timer.first = setTimeout(
      () => {
        void look();
        timer.every = setInterval(() => void look(), POLL_MS);
      },
      (n / BROWSERS) * POLL_MS,
    );
    return timer;
  });
  return {
    note: () => `${heard.requests} requests`,
    stop: () => {
      for (const { first, every } of timers) {
        clearTimeout(first);
        clearInterval(every);
      }
    },
  };
}

async function ask(url, path, cookie) {
  const answer = await fetch(url + path, { headers: { Cookie: cookie, "X-Background": "1" } }).catch(() => null);
  await answer?.text();
}
