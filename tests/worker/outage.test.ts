import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { CONTRACT, type Call, type CallName } from "#worker/api/contract";
import { address, aPlace, example } from "../support/calls";
import { misfit, published, type Document } from "../support/document";
import { anOrganization, aPerson, call, PASSWORD, rows, sessionOf } from "../support/door";
import { engine } from "../support/fake-scheduler";
import { failingFrom } from "../support/failing-database";
import { quickHash } from "../support/quick-hash";

const LOST = "D1_ERROR: Network connection lost.";
const SENTENCE = "The database did not answer. Please try again in a moment.";

/** What D1 says of itself when it is not to be had, by its documentation. */
const OUTAGES = [
  LOST,
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
  "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1_ERROR: D1 DB reset because its code was updated.",
  "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
  "D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.",
  "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
  "D1_ERROR: database is locked: SQLITE_BUSY",
  "Network connection lost.",
];

/** What it says where a statement of ours is at fault, or what is written. */
const FAULTS = [
  "D1_ERROR: no such table: areas: SQLITE_ERROR",
  "D1_ERROR: UNIQUE constraint failed: areas.name 'D1 DB is overloaded.': SQLITE_CONSTRAINT",
  "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
  "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
  "x is not a function",
];

/** They are well without a database, or say of it what they find. */
const WITHOUT: CallName[] = ["GET /alive", "GET /openapi.json", "GET /docs", "GET /health"];

let document: Document;

beforeAll(async () => {
  await anOrganization("city");
  await aPerson("admin", { city: "admin" });
  await env.DB.prepare("INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports')").run();
  document = await published();
});

const contract: Record<CallName, Call> = CONTRACT;
const isName = (name: string): name is CallName => name in CONTRACT;
const names = Object.keys(CONTRACT).filter(isName);

test.each(OUTAGES)("'%s' is answered as an outage", async (message) => {
  const token = await sessionOf("admin");
  const answer = await call("GET", "/areas", { token, bound: { DB: failingFrom(1, message).d1 } });
  expect([answer.status, answer.json, answer.headers.get("Retry-After")]).toEqual([503, { detail: SENTENCE }, "5"]);
});

test.each(FAULTS)("'%s' is a fault, and is answered as one", async (message) => {
  const token = await sessionOf("admin");
  const answer = await call("GET", "/areas", { token, bound: { DB: failingFrom(1, message).d1 } });
  expect([answer.status, answer.json.detail]).toEqual([500, "Something went wrong. Please try again."]);
});

test("what somebody has typed is not taken for the database's words", async () => {
  const token = await sessionOf("admin");
  const body = { name: "Network connection lost.", type: "park" };
  const d1 = failingFrom(2, "D1_ERROR: no such table: areas: SQLITE_ERROR").d1;
  expect((await call("POST", "/areas", { token, body, bound: { DB: d1 } })).status).toBe(500);
});

/** An import is a job: its record says how far it has come, and one that broke off is given up later. */
const IN_STEPS: CallName[] = ["POST /imports", "POST /imports/{id}/apply"];
/** A try of a password or a code counts before that is looked at. */
const TRIES = "login_attempts";

/** An engine that is away, too, so that it writes nothing of its own meanwhile. */
const asleep = engine(new Proxy({}, { get: () => () => Promise.reject(new Error("asleep")) }));
const NO_ENGINE = "The switching engine did not answer. Please try again.";

describe("where the database is away from a question on, a call says so, and is done or not done", () => {
  /** Where the call can be made, again once it was. */
  async function anew() {
    await rows("UPDATE users SET password_hash = ? WHERE id = 'admin'", quickHash(PASSWORD));
    return { place: await aPlace(), token: await sessionOf("admin") };
  }

  let shared: Awaited<ReturnType<typeof anew>>;
  beforeAll(async () => void (shared = await anew()));

  test.each(names.filter((name) => !WITHOUT.includes(name)))("%s", async (name) => {
    const success = contract[name].status ?? 200;
    let { place, token } = shared;
    // Of what only reads not each question: the first and the last ones fail as those between.
    for (let nth = 1; ; nth = name.startsWith("GET ") ? 2 * nth : nth + 1) {
      await rows(`DELETE FROM ${TRIES}`);
      const one = example(name, place, "admin@parks.example");
      const { method, path } = address(name, one);
      const { d1, failed, written } = failingFrom(nth, LOST);
      const bound = { DB: d1, SCHEDULER: asleep };
      const { status, json } = await call(method, path, { token, body: one.body, bound });
      const isOut = status === 503 && [SENTENCE, NO_ENGINE].includes(json.detail);
      expect({ nth, status, isOut, misfit: misfit(document, name, status, json) }).toEqual(
        status === success
          ? { nth, status, isOut: false, misfit: null }
          : { nth, status: 503, isOut: true, misfit: null },
      );
      const wrote = written().filter((tables) => tables !== TRIES);
      // All of it, or nothing: what one round trip writes is whole, and what two write need not be.
      if (!IN_STEPS.includes(name)) expect(wrote.slice(1)).toEqual([]);
      // The person is not known yet.
      if (nth === 1) expect([status, wrote]).toEqual([503, []]);
      if (wrote.length > 0) ({ place, token } = shared = await anew());
      if (!failed()) break;
    }
  });
});
