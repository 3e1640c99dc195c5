import { DrizzleQueryError } from "drizzle-orm/errors";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { handleDataRequest, handleError } from "#app/entry.server";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { answer } from "#app/forms/form-answer";
import { loader as layout } from "#app/routes/layout/route";
import { loader as choices } from "#app/routes/workorders/choices";
import { ada } from "#tests/support/ada";

const LOST = new DrizzleQueryError("select 1", [], new Error("D1_ERROR: Network connection lost."));
const BUG = new DrizzleQueryError("select 1", ["D1_ERROR: Network connection lost."], new Error("no such column"));
const SENTENCE = "The database did not answer. Please try again in a moment.";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

test.each([
  [LOST, 503, SENTENCE],
  [BUG, 500, "Failed to save area"],
])("a form whose handler fails keeps what was typed: %s", async (failure, status, toast) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ org_id: "city", intent: "save", name: "Oak" })) form.set(name, value);
  const save = { run: () => Promise.reject(failure) };
  const { data, init } = await answer(ada, form, { save }, { save: "Failed to save area" });
  expect([init?.status, data]).toMatchObject([status, { ok: false, toast, typed: { name: "Oak" } }]);
});

/** The arguments of a loader or an action; `given` is what the test cares about. */
function argsOf(given: object) {
  // What else there is in real ones, nobody asks for here.
  return Object.assign(JSON.parse("{}"), given);
}

test.each([
  [LOST, 503, "5"],
  [BUG, 500, null],
])("a screen whose loader fails says whether it helps to wait: %s", async (failure, status, wait) => {
  const args = argsOf({ request: new Request("https://lights.example/areas"), context: { requireUser: nobody } });
  handleError(failure, args);
  const response = await handleDataRequest(new Response("data", { status: 500 }), args);
  expect([response.status, response.headers.get("Retry-After"), await response.text()]).toEqual([status, wait, "data"]);
});

const nobody = () => Promise.reject(new Error("nobody"));

test("a form that is sent while nobody can be told from anybody stays, and says why", async () => {
  const request = new Request("https://lights.example/areas", {
    method: "POST",
    body: new URLSearchParams({ intent: "save" }),
  });
  const thrown = { status: 503, statusText: "", internal: false, data: SENTENCE };
  const sent = await catchNetworkError(argsOf({ request, serverAction: () => Promise.reject(thrown) }), {
    save: "Failed",
  });
  expect(sent).toMatchObject({ ok: false, toast: SENTENCE, unreached: true });
});

const aRecord = (name: string) => ({ id: name, name, email: name });

/** Services of which each list has one record, but for one that fails. */
function servicesBut(failing: string) {
  const list = (name: string) => (name === failing ? Promise.reject(LOST) : Promise.resolve([aRecord(name)]));
  return {
    departments: { list: () => list("departments") },
    alarms: { openCount: () => Promise.resolve(0) },
    settings: { find: () => Promise.resolve({ APP_TIMEZONE: "UTC", PROVIDER_MODE: "mock" }) },
    agents: { choices: () => list("agents") },
    calendars: { list: () => list("calendars") },
    hubs: { list: () => list("hubs") },
    groups: { list: () => list("groups") },
    devices: { list: () => list("devices"), choices: () => Promise.resolve({ devices: [], isNarrowed: false }) },
    areas: { list: () => list("areas") },
    users: { list: () => list("users") },
  };
}

const LISTS = ["agents", "calendars", "hubs", "groups", "devices"];

test.each(LISTS)("without script no form opens that would save over what it lacks: %s", async (failing) => {
  const request = new Request("https://lights.example/devices?edit=x", { headers: { Cookie: "script=off" } });
  const context = { requireUser: async () => ({ user: ada, token: "", idle_min: 60, services: servicesBut(failing) }) };
  await expect(layout(argsOf({ request, context, params: {} }))).rejects.toThrow(LOST);
});

test("where departments cannot be read, the page of a light opens, and its form is told that they are not to be had", async () => {
  const request = new Request("https://lights.example/devices/x?edit=x");
  const opened = async (failing: string) => {
    const signedIn = { user: ada, token: "", idle_min: 60, services: servicesBut(failing) };
    return layout(argsOf({ request, context: { requireUser: async () => signedIn }, params: {} }));
  };
  expect(await opened("none")).toMatchObject({ departments: [aRecord("departments")] });
  expect(await opened("departments")).toMatchObject({ departments: null });
});

test.each([
  ["areas", { areas: [], people: [{ id: "users", name: "users" }] }],
  ["users", { areas: [{ id: "areas", name: "areas" }], people: [] }],
])("the form of a work order is offered the other lists without its %s", async (failing, offered) => {
  const request = new Request("https://lights.example/workorders/choices");
  const context = { requireUser: async () => ({ user: ada, services: servicesBut(failing) }) };
  const answer = await choices(argsOf({ request, context, params: {} }));
  expect([answer.status, await answer.json()]).toEqual([200, { ...offered, devices: [], isNarrowed: false }]);
});
