import { expect, test } from "vitest";
import routes from "#app/routes";
import { concernOf } from "#app/live/concerns";
import { SCREENS } from "#app/routes/layout/screens";
import { ROLES, type Role } from "#domain/enums";
import type { LiveList } from "#domain/lists/live";
import { can } from "#domain/organization/permissions";
import { PLANNED } from "#db/planned";
import type { Services } from "#worker/context";
import { LISTS } from "#worker/services/commit";
import { ASKS, type Verb } from "#tests/support/verbs";

/** The lists that a service reads and that not every screen is told of; the others concern all screens. */
const READS: Record<keyof Services, LiveList[]> = {
  agents: ["agents"],
  alarms: ["workorders"],
  areas: [],
  attention: ["workorders"],
  audit: [],
  calendars: [],
  closures: [],
  connectivity: ["connectivity"],
  dashboard: [],
  departments: [],
  dependents: [],
  devices: [],
  groups: [],
  forecast: [],
  history: ["history"],
  hubAccount: [],
  hubs: [],
  imports: ["imports"],
  messageChoices: [],
  messageSettings: [],
  nights: ["nights"],
  notifications: ["notifications"],
  permits: [],
  policies: [],
  schedules: [],
  schedulerEvents: ["events"],
  search: [],
  settings: [],
  tonight: ["nights"],
  webhooks: ["notifications"],
  users: ["users"],
  week: [],
  workorders: ["workorders"],
};
/** A record's page has more than its record. */
const PAGES_READ: Partial<Record<Verb, LiveList[]>> = {
  "areas.detail": ["workorders", "history"],
  "devices.detail": ["workorders", "history"],
  "messageChoices.everyone": ["notifications", "users"],
};

/** Beside its forms it has a list of places, which is only paged. */
const ONLY_PAGED = ["/guardrails areas.page"];

const screens = routes.flatMap(({ children = [] }) => children).filter(({ path }) => path !== undefined);
const OPENED = screens.map(({ path = "", file }) => ({ path: `/${path.replace(":id", "x")}`, file }));

const modules = import.meta.glob("../../app/routes/*/route.tsx");

/** The verbs that a screen's loader calls; each answer is as whatever it is taken for. */
async function called(
  file: string,
  path: string,
  role: Role,
  note: (verb: Verb, query: unknown) => void = () => undefined,
): Promise<Verb[]> {
  const verbs = new Set<Verb>();
  const services = new Proxy(
    {},
    {
      get: (_, service) =>
        new Proxy({}, { get: (_, name) => (query: unknown) => noted(`${String(service)}.${String(name)}`, query) }),
    },
  );
  const noted = (verb: string, query: unknown) => {
    if (isVerb(verb)) {
      verbs.add(verb);
      note(verb, query);
    }
    return Promise.resolve(anything());
  };
  const user = { id: "ann", role, dept_memberships: [], org_memberships: [], current_dept_id: null };
  const context = { requireUser: async () => ({ user, services, account: anything(), token: "", idle_min: 60 }) };
  const request = new Request(`https://lights.example${path}`);
  expect(Object.keys(modules)).toContain(`../../app/${file}`);
  const module: { loader?: (args: unknown) => Promise<unknown> } = Object(await modules[`../../app/${file}`]?.());
  await module.loader?.({ context, request, params: { id: "x" } });
  return [...verbs];
}

const isVerb = (verb: string): verb is Verb => verb in ASKS;

/** Has every field and every method, is no promise, and as text it is a time zone. */
function anything(): unknown {
  return new Proxy(() => undefined, {
    get: (_, key) => {
      if (key === "then") return undefined;
      if (key === Symbol.iterator) return [].values.bind([]);
      return key === Symbol.toPrimitive ? () => "UTC" : anything();
    },
    apply: () => anything(),
  });
}

test.each(OPENED)("$path follows what its lists show", async ({ path, file }) => {
  const lists = (await called(file, path, "admin")).flatMap((verb) => {
    const [service = ""] = verb.split(".");
    return [...(isService(service) ? READS[service] : []), ...(PAGES_READ[verb] ?? [])];
  });
  const unheard = lists.filter(
    (list) =>
      concernOf({ kind: "changes", version: 1, devices: [], lists: [list], spread_ms: 0 }, path, () => false) === null,
  );
  expect(unheard, "missing for this screen in app/live/concerns.ts").toEqual([]);
});

test("each kind of record that people write is told to the screens that show it", () => {
  const isPlanned = (noun: string) => noun in PLANNED || noun === "setting";
  const untold = Object.entries(LISTS).filter(([noun, lists]) => lists.length === 0 && !isPlanned(noun));
  expect(untold, "without a list in worker/services/commit.ts a change is seen after a reload only").toEqual([]);
  for (const [noun, lists] of Object.entries(LISTS)) {
    const service = `${noun}s`;
    const reads: LiveList[] = isService(service) ? READS[service] : lists.slice();
    const unread = lists.filter((list) => !isEverywhere(list) && !reads.includes(list));
    expect(unread, `what ${service} reads, in READS`).toEqual([]);
  }
});

test("the activity log follows every kind of record that people write", () => {
  const unheard = Object.values(LISTS)
    .flat()
    .filter(
      (list) =>
        concernOf(
          { kind: "changes", version: 1, devices: [], lists: [list], spread_ms: 0 },
          "/history",
          () => false,
        ) === null,
    );
  expect(unheard, "missing for this screen in app/live/concerns.ts").toEqual([]);
});

/** Whether a list's change concerns whoever is anywhere. */
function isEverywhere(list: LiveList): boolean {
  const message = { kind: "changes" as const, version: 1, devices: [], lists: [list], spread_ms: 0 };
  return concernOf(message, "/nowhere", () => false) !== null;
}

const isService = (name: string): name is keyof Services => name in READS;

test.each(OPENED)("$path hands its address's query to its list", async ({ path, file }) => {
  const asked: string[] = [];
  await called(file, `${path}?q=lantern&page=2`, "admin", (verb, query) => {
    if (verb.endsWith(".page") && typeof query === "object") asked.push(`${verb} ${JSON.stringify(query)}`);
  });
  expect(
    asked.filter((one) => !one.includes("lantern") && !ONLY_PAGED.some((paged) => `${path} ${one}`.startsWith(paged))),
  ).toEqual([]);
});

test.each(OPENED.flatMap((screen) => ROLES.map((role) => ({ ...screen, role }))))(
  "$path asks for nothing that a person with the role $role may not see",
  async ({ path, file, role }) => {
    const refused = (await called(file, path, role)).filter((verb) => {
      const capability = ASKS[verb];
      return capability !== null && !can({ role }, capability);
    });
    expect(refused).toEqual([]);
  },
);

test.each(SCREENS.filter(({ needs }) => needs))(
  "$to loads nothing for who lacks its capability",
  async ({ to, needs }) => {
    const { file = "" } = OPENED.find(({ path }) => path === to) ?? {};
    for (const role of ROLES) {
      const verbs = await called(file, to, role);
      if (needs && can({ role }, needs)) expect(verbs).not.toEqual([]);
      else expect(verbs).toEqual([]);
    }
  },
);
