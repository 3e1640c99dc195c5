import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { database } from "#db/database";
import * as t from "#db/schema";
import { ROLES, type Role } from "#domain/enums";
import { Refusal } from "#domain/errors";
import type { Segment } from "#domain/forecast/forecast-segments";
import { can, CAPABILITIES, mayToggle, type Capability } from "#domain/organization/permissions";
import type { User } from "#domain/records/records";
import type { Target } from "#domain/schedule/target";
import { makeServices } from "#worker/wiring";
import type { Services } from "#worker/context";
import { at, NOW, refused, scopeFor } from "../support/api";
import { CITY, seedCity, type PersonName } from "../support/city";
import { scriptedForecast } from "../support/scripted-forecast";

/** Fields of which all lights are anybody's, or one is of a department: of `sports`, which some only audit, or of `rivers`. */
const PLACES = { open: null, audited: "sports", hidden: "rivers" } as const;
const KINDS = ["area_id", "group_id", "device_id"] as const;
type Place = keyof typeof PLACES;

/** Each place has one light that is anybody's, too, by which everybody sees what is there for all of them. */
function idOf(kind: (typeof KINDS)[number], place: string): string {
  return { area_id: place, group_id: `group-${place}`, device_id: `light-${place}` }[kind];
}

beforeAll(async () => {
  await seedCity();
  const db = database(env.DB);
  for (const [place, dept_id] of Object.entries(PLACES)) {
    const of = { org_id: CITY, area_id: place };
    const [id, other] = [`light-${place}`, `other-${place}`];
    const limit = { org_id: CITY, reason: "x", created_by: "x", from_at: at(-1), to_at: at(25) };
    const plan = { org_id: CITY, title: "x", start_at: at(-24), end_at: at(-20), rrule: "FREQ=DAILY", timezone: "UTC" };
    await db.batch([
      db.insert(t.areas).values({ id: place, org_id: CITY, name: place }),
      db.insert(t.hubs).values({ id: `hub-${place}`, ...of, name: "Hub" }),
      db.insert(t.devices).values([
        { id, ...of, hub_id: `hub-${place}`, dept_id, name: "Light" },
        { id: other, ...of, name: "Other" },
      ]),
      db.insert(t.device_groups).values({ id: `group-${place}`, ...of, name: "Group" }),
      db.insert(t.device_groups).values({ id: `spare-${place}`, ...of, name: "Spare" }),
      db
        .insert(t.group_devices)
        .values(
          ["group", "spare"].flatMap((name) =>
            [id, other].map((device_id) => ({ org_id: CITY, group_id: `${name}-${place}`, device_id })),
          ),
        ),
      ...KINDS.flatMap((kind) => {
        const chosen = { [kind]: idOf(kind, place), id: `${kind}-${place}` };
        return [
          db.insert(t.permits).values({ ...limit, ...chosen }),
          db.insert(t.closures).values({ ...limit, ...chosen }),
          db.insert(t.schedules).values({ ...plan, ...chosen }),
        ];
      }),
    ]);
  }
});

type Row = { id: string; may: boolean };
/** A list of a screen, of each row what it says of its lights, and what the server is asked when it is pressed. */
type Offer = {
  on: string;
  rows: (services: Services, user: User) => Promise<Row[]>;
  ask: (services: Services, row: Row) => Promise<unknown>;
};

const places = Object.keys(PLACES).filter((place): place is Place => place in PLACES);
const ofEach = async <Found>(find: (place: Place) => Promise<Found[]>) => (await Promise.all(places.map(find))).flat();
const writable = <Found extends { id: string; may_write: boolean }>(rows: Found[]) =>
  rows.map(({ id, may_write: may }) => ({ id, may }));
const affectable = <Found extends { id: string; may_affect: boolean }>(rows: Found[]) =>
  rows.map(({ id, may_affect: may }) => ({ id, may }));

const areaCards = async ({ areas }: Services) => affectable((await areas.page({})).rows);
const areaPage = ({ areas }: Services) => ofEach(async (place) => [await areas.find(place)]);
const areaSummaries = async ({ dashboard }: Services) => writable((await dashboard.page({})).rows);
const hubCards = async ({ hubs }: Services) => affectable((await hubs.page({})).rows);
const groupRows = ({ groups }: Services) => ofEach(async (place) => writable(await groups.listed(place)));
/** Of the others nobody deletes one, since something is for them. */
const spareGroups = async (services: Services) =>
  (await groupRows(services)).filter(({ id }) => id.startsWith("spare"));
const scheduleRows = async ({ schedules }: Services) => writable((await schedules.page({})).rows);
const ownSchedule = async (services: Services) =>
  writable(await Promise.all((await scheduleRows(services)).map(({ id }) => services.schedules.find(id))));
const weekBlocks = ({ week }: Services) =>
  ofEach(async (place) => writable((await week.page({ area: place, week: "2026-11-20" })).schedules));
const closureRows = async ({ closures }: Services) => writable(await closures.listed({}));
const permitRows = async ({ permits }: Services) => writable(await permits.listed({}));
const lights = async ({ devices }: Services, user: User) =>
  (await devices.page({})).rows
    .filter(({ area_id }) => area_id in PLACES)
    .map((device) => ({ id: device.id, may: mayToggle(user, device) }));
/** Its bars are of the light that is anybody's, and of series that are for the other one as well. */
const nightBars = async ({ tonight }: Services) => {
  const night = await tonight.page({});
  const series = night.rows.flatMap(({ lights }) =>
    (lights ?? []).flatMap(({ may_toggle, bars }) => bars.map((bar) => (may_toggle ? bar.series : null))),
  );
  const shared = places.flatMap((place) => [`area_id-${place}`, `group_id-${place}`]);
  return shared.map((id) => ({ id, may: series.includes(id) }));
};

/** Of the light that is anybody's, from its area's schedule first and then from its group's. */
function foreseen(place: string): Segment[] {
  return ["area_id", "group_id"].map((kind, n) => ({
    from: NOW.getTime() + n * 3_600_000,
    to: NOW.getTime() + (n + 1) * 3_600_000,
    state: "on",
    reason: "claim",
    sentence: "On: x",
    schedule_ids: [`${kind}-${place}`],
  }));
}

const booking = { title: "x", start_at: at(30), end_at: at(31) };
/** An edit of the schedule with this id, which stays for what it is for. */
function bookingOf(id: string) {
  const kind = KINDS.find((each) => id.startsWith(each)) ?? "area_id";
  const [type] = kind.split("_");
  return { ...booking, target: { type, id: idOf(kind, areaOf(id)) } };
}
/** Of today, and not for long: else only an admin may give a permit. */
const limit = { from: at(1), to: at(2), reason: "x" };
const light = (id: string) => ({ name: "Light", area_id: areaOf(id) });
const areaOf = (id: string) => id.replace(/^(group|spare|light|other|area_id|group_id|device_id)-/, "");
const book = (type: Target["type"]) => (services: Services, row: Row) =>
  services.schedules.create({ ...booking, area_id: areaOf(row.id), target: { type, id: row.id } });

const ON_SCHEDULES = { list: scheduleRows, dialog: ownSchedule, week: weekBlocks };

/**
 * What of a screen's rows is offered where a capability allows it, and not for each row. The compiler asks for every
 * capability; `null` are those by which no row of these screens is offered or not: most are of no lights, what a form lets one
 * choose is refused when it is sent, and Guardrails, work orders and alarms go by rules of their own.
 */
const OFFERS: Record<Exclude<Capability, `${string}.see`>, Offer[] | null> = {
  "area.save": null,
  "area.delete": [
    { on: "a card of Areas", rows: areaCards, ask: ({ areas }, { id }) => areas.remove(id) },
    {
      on: "an area's page",
      rows: async (services) => affectable(await areaPage(services)),
      ask: ({ areas }, { id }) => areas.remove(id),
    },
  ],
  "hub.save": null,
  "hub.delete": [{ on: "a card of Hubs", rows: hubCards, ask: ({ hubs }, { id }) => hubs.remove(id) }],
  "agent.edit": null,
  "device.save": [{ on: "a light", rows: lights, ask: ({ devices }, { id }) => devices.save(id, light(id)) }],
  "device.delete": [{ on: "a light", rows: lights, ask: ({ devices }, { id }) => devices.remove(id) }],
  "device.toggle": [
    { on: "a light", rows: lights, ask: ({ devices }, { id }) => devices.toggle(id, { action: "off" }) },
  ],
  "emergency.declare": null,
  "group.save": [
    {
      on: "a group of an area's page",
      rows: groupRows,
      ask: async ({ groups }, { id }) => groups.save(id, await groups.find(id)),
    },
  ],
  "group.delete": [
    { on: "a group of an area's page", rows: spareGroups, ask: ({ groups }, { id }) => groups.remove(id) },
  ],
  "import.run": null,
  "schedule.save": [
    ...Object.entries(ON_SCHEDULES).flatMap(([on, rows]): Offer[] => [
      { on: `${on}: edit`, rows, ask: ({ schedules }, { id }) => schedules.save(id, bookingOf(id)) },
      { on: `${on}: skip`, rows, ask: ({ schedules }, { id }) => schedules.skip(id, { date: "2026-11-21" }) },
    ]),
    { on: "Tonight", rows: nightBars, ask: ({ schedules }, { id }) => schedules.skip(id, { date: "2026-11-21" }) },
    { on: "a card of the dashboard", rows: areaSummaries, ask: book("area") },
    { on: "an area's page", rows: async (services) => writable(await areaPage(services)), ask: book("area") },
    { on: "a group of an area's page", rows: groupRows, ask: book("group") },
    { on: "a light's page", rows: lights, ask: book("device") },
  ],
  "schedule.cancel": Object.entries(ON_SCHEDULES).map(([on, rows]): Offer => {
    return { on, rows, ask: ({ schedules }, { id }) => schedules.cancel(id) };
  }),
  "permit.save": [
    { on: "Permits", rows: permitRows, ask: ({ permits }, { id }) => permits.remove(id) },
    {
      on: "an area's page",
      rows: async (services) => writable(await areaPage(services)),
      ask: ({ permits }, { id }) => permits.create({ ...limit, target: { type: "area", id } }),
    },
    {
      on: "a light's page",
      rows: lights,
      ask: ({ permits }, { id }) => permits.create({ ...limit, target: { type: "device", id } }),
    },
  ],
  "calendar.save": null,
  "closure.save": [
    { on: "Closures: edit", rows: closureRows, ask: ({ closures }, { id }) => closures.save(id, { reason: "y" }) },
    { on: "Closures: reopen", rows: closureRows, ask: ({ closures }, { id }) => closures.reopen(id) },
    { on: "Closures: delete", rows: closureRows, ask: ({ closures }, { id }) => closures.remove(id) },
    {
      on: "an area's page",
      rows: async (services) => writable(await areaPage(services)),
      ask: ({ closures }, { id }) => closures.create({ ...limit, target: { type: "area", id } }),
    },
    {
      on: "a light's page",
      rows: lights,
      ask: ({ closures }, { id }) => closures.create({ ...limit, target: { type: "device", id } }),
    },
  ],
  "workorder.save": null,
  "workorder.delete": null,
  "workorder.delete_any": null,
  "messages.choose": null,
  "connectivity.test": null,
  "settings.edit": null,
  "guardrails.edit": null,
  "department.edit": null,
  "user.edit": null,
};

const scheduler = scriptedForecast(Object.fromEntries(places.map((place) => [`other-${place}`, foreseen(place)])));

/** What stands where an audit entry gets its id: behind every check, and before anything is written. */
const writes = () => {
  throw new Refusal("unavailable", "it would be written");
};
const WRITTEN = "unavailable: it would be written";

const WHO = ROLES.flatMap((role) => (["admin", "manager", "auditor"] as const).map((name) => ({ role, name })));

/** A role with the departments of one of these: none, one that is theirs, one that they audit. */
function one(role: Role, name: PersonName): { user: User; services: Services } {
  const scope = scopeFor(name, { role, scheduler });
  return { user: scope.user, services: makeServices({ ...scope, newId: writes }) };
}

const cases = Object.entries(OFFERS).flatMap(([needs, offers]) => (offers ?? []).map((offer) => ({ needs, ...offer })));
const isCapability = (name: string): name is Capability => name in CAPABILITIES;

test.each(cases)("$needs on $on is offered just where the server permits it", async ({ needs, rows, ask }) => {
  if (!isCapability(needs)) throw new Error(needs);
  for (const { role, name } of WHO) {
    const { user, services } = one(role, name);
    const told = await rows(services, user);
    expect(told.length).toBeGreaterThanOrEqual(places.length);
    const answers = await Promise.all(told.map((row) => refused(ask(services, row))));
    const outcomes = told.map(({ id }, n) => [id, answers[n]?.replace(/^forbidden: .*/, "forbidden")]);
    const offers = told.map(({ id, may }) => [id, may && can(user, needs) ? WRITTEN : "forbidden"]);
    expect(outcomes, `${role}, with the departments of ${name}`).toEqual(offers);
  }
});
