import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { servicesOf } from "../support/api";
import { aPlace, type Place } from "../support/calls";
import { anOrganization, aPerson } from "../support/door";
import { aHarbor, MARKER } from "../support/harbor";
import { ASKS, type Verb } from "../support/verbs";

/** The verbs that answer with many records; screens call some that the API lacks. */
const LISTS = [
  "list",
  "page",
  "choices",
  "csv",
  "everyone",
  "places",
  "deliveries",
  "inventory",
  "health",
  "onNow",
  "hits",
];
/** What a screen may ask for, with everything that a list is narrowed by left open. */
const OPEN = { q: "", sort: "", page: "1", limit: "1000", past: "true" };

/** What counts its records, tells of any of them, or lists them for a screen alone. */
const OTHERS: Verb[] = [
  "closures.listed",
  "permits.listed",
  "alarms.openCount",
  "hubs.warning",
  "messageChoices.warning",
];
const ASKED = [...Object.keys(ASKS).filter((verb) => LISTS.includes(verb.split(".")[1] ?? "")), ...OTHERS];

/** Rows of `city` in its area ?: lit and wrong lights, one of them by itself, and what many of them may depend on. */
const OWN = [
  "UPDATE devices SET problem = 'dark', problem_since = '2026-11-20' WHERE area_id = ?",
  `INSERT INTO devices (id, org_id, area_id, name, current_state, problem, problem_since)
   VALUES ('lit', 'city', ?, 'Lit', 'on', 'still on', '2026-11-20')`,
  `INSERT INTO alarms (id, org_id, kind, area_id, what, why, opened_at, seq)
   VALUES ('away', 'city', 'agent_offline', ?, 'Away', 'no answer', '2026-11-20T19:00:00.000Z', 9)`,
  // A cloud in trouble would explain what is wrong.
  `INSERT INTO settings (org_id, key, value) SELECT 'city', 'PROVIDER_MODE', '"cloud"' WHERE ? IS NOT NULL`,
];

let place: Place;
const alone: Record<string, string> = {};

beforeAll(async () => {
  await anOrganization("city");
  for (const name of ["admin", "manager", "employee"]) await aPerson(name, { city: "admin" });
  await env.DB.prepare("INSERT INTO departments (id, org_id, name) VALUES ('sports', 'city', 'Sports')").run();
  place = await aPlace();
  // Without one of its own, those of others would be counted beside nothing.
  await env.DB.batch(OWN.map((row) => env.DB.prepare(row).bind(place.area)));
  for (const verb of ASKED) alone[verb] = await told(verb);
  await aHarbor();
});

test.each(ASKED)("%s answers with nothing of another organization, and as if there were none", async (verb) => {
  const answer = await told(verb);
  expect(answer).not.toContain(MARKER);
  expect(answer).toBe(alone[verb]);
});

/** What a verb answers to an admin of `city`, as text. */
async function told(verb: string): Promise<string> {
  const [service = "", name = ""] = verb.split(".");
  const run: unknown = Reflect.get(Reflect.get(servicesOf("admin"), service), name);
  if (typeof run !== "function") throw new Error(`${verb} is no verb`);
  // One light's, or one area's.
  const ofPlace = { area_id: place.area, date: "2026-11-19" };
  const own: Record<string, object> = {
    "forecast.list": ofPlace,
    "nights.list": ofPlace,
    // Beside `list`, which is asked for what is over.
    "closures.listed": { past: "false" },
    "permits.listed": { past: "false" },
    "search.hits": { q: MARKER },
  };
  const query = own[verb] ?? OPEN;
  const answer: unknown = await run.call(undefined, query, query);
  return answer instanceof ReadableStream ? new Response(answer).text() : JSON.stringify(answer);
}
