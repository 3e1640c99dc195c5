import { env } from "cloudflare:test";
import { database } from "#db/database";
import type { Target } from "#domain/schedule/target";
import { toIso } from "#domain/time/to-iso";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time/units";
import { explain } from "#durable/reconcile/explain";
import { forecast } from "#durable/requests/forecast";
import { preview } from "#durable/requests/preview";
import { scopeFor } from "#tests/support/api";
import type { World } from "#tests/support/engine";
import { sql } from "#tests/support/light";
import { isRefusal } from "#domain/errors";
import { makeServices } from "#worker/wiring";
import type { Services } from "#worker/context";
import type { Chance } from "../world/prng";

const ZONES = ["America/Los_Angeles", "America/New_York", "UTC"] as const;
const RULES = [
  null,
  null,
  "FREQ=DAILY",
  "FREQ=DAILY;INTERVAL=2",
  "FREQ=WEEKLY;BYDAY=SA,SU,MO,WE",
  "FREQ=DAILY;COUNT=3",
];
const EVENTS = ["sunrise", "sunset", "dawn", "dusk"] as const;
const QUARTER_MS = 15 * MINUTE_MS;

/** What the database stamps by a clock of its own. */
const STAMPS = [
  ...["schedules", "closures", "permits"].flatMap((table) => [
    [table, "created_at"],
    [table, "updated_at"],
  ]),
  ...["areas", "devices", "policies", "settings", "calendars"].map((table) => [table, "updated_at"]),
  ["group_devices", "added_at"],
];

/** The services of an admin of the world's organization, with its engine and its clock. */
export function servicesIn(world: World): Services {
  const { org_id, context } = world;
  const base = scopeFor("admin", {});
  const org_memberships = [{ org_id, org_name: org_id, role: "admin" as const }];
  return makeServices({
    ...base,
    org_id,
    user: { ...base.user, current_org_id: org_id, org_memberships },
    db: database(env.DB),
    now: () => new Date(world.now),
    scheduler: {
      ...base.scheduler,
      forecast: async (of) => forecast(context, of),
      preview: async (of) => preview(context, of),
      explain: async ({ device_ids }) => explain(context, device_ids),
    },
  });
}

/** A small city that is made and changed as people do it, by the services. */
export class City {
  areas: string[] = [];
  lamps: { id: string; area: string }[] = [];
  groups: { id: string; area: string; lamps: string[] }[] = [];
  schedules: string[] = [];

  constructor(
    readonly world: World,
    readonly chance: Chance,
    readonly noon: number,
  ) {}

  /** The lights that a target is for. */
  lampsOf({ type, id }: Target): string[] {
    if (type === "device") return [id];
    if (type === "group") return this.groups.find((group) => group.id === id)?.lamps ?? [];
    return this.lamps.filter(({ area }) => area === id).map((lamp) => lamp.id);
  }

  async make(): Promise<void> {
    const { chance, world } = this;
    await sql("INSERT INTO organizations (id, name) VALUES (?1, ?1)", world.org_id).run();
    const { settings, areas, devices, groups, calendars, policies } = servicesIn(world);
    const CITY_LAT = chance.pick([37.8, 60.2, 0.3, -43.5]);
    const quiet = { WATCHDOG_ENABLED: false, NOTIFY_ON_FAIL: false };
    await settings.saveSystem({ APP_TIMEZONE: chance.pick(ZONES), CITY_LAT, CITY_LON: -122 });
    await settings.saveGuardrails({
      ...quiet,
      HARD_CURFEW_OFF: chance.pick(["", "23:30"]),
      BLACKOUT_WINDOW: chance.pick(["", "01:15-04:45"]),
      MAX_ON_DURATION_MIN: chance.int(60, 600),
    });
    for (const name of ["North", "South"]) {
      const area = await areas.create({ name });
      this.areas.push(area.id);
      for (let n = 0; n < 3; n += 1) {
        const { id } = await devices.create({ name: `${name} ${n}`, area_id: area.id });
        this.lamps.push({ id, area: area.id });
      }
      const device_ids = this.lampsOf({ type: "area", id: area.id }).slice(1);
      const group = await groups.create({ area_id: area.id, name: `${name} pair`, device_ids });
      this.groups.push({ id: group.id, area: area.id, lamps: device_ids });
    }
    const dates = [0, 1, 3].map((days) => ({ date: this.#date(days), name: "Holiday" }));
    const calendar = await calendars.create({ name: "Holidays", dates });
    await policies.create("group", chance.pick(this.#of(this.groups)).id, {
      BLACKOUT_WINDOW: chance.pick(["", "21:30-06:00"]),
      MAX_ON_DURATION_MIN: chance.pick([0, 75, null]),
    });
    await this.#stamped();
    for (let n = 0; n < 7; n += 1) await this.#schedule(`S${n}`, calendar.id);
    for (const kind of ["closures", "permits", "permits"] as const) await this.#limit(kind);
  }

  /** What people do in some minutes: toggles, and changes of the plan. */
  async live(): Promise<void> {
    const { chance, world } = this;
    for (const { id } of this.lamps) if (chance.is(0.4)) await this.#toggle(id);
    const { schedules, areas } = servicesIn(world);
    const some = chance.pick(this.#of(this.schedules));
    if (chance.is(0.4)) await taken(schedules.skip(some, { date: toIso(world.now).slice(0, 10) }));
    if (chance.is(0.2)) await taken(schedules.cancel(some));
    if (chance.is(0.3)) await this.#limit("closures");
    const { id, name, active } = await areas.find(chance.pick(this.#of(this.areas)));
    if (chance.is(0.2)) await areas.save(id, { name, active: !active });
    if (chance.is(0.2)) await areas.save(id, { name, location: { lat: chance.pick([37.8, 60.2]), lon: -122 } });
    await this.#stamped();
    await world.sync();
    await world.to(world.now + 3 * MINUTE_MS);
  }

  async #toggle(id: string): Promise<void> {
    const { chance, world } = this;
    const until = toIso(world.now + chance.int(4, 48) * QUARTER_MS);
    const action = chance.pick(["on", "off", "auto"] as const);
    const more = action === "auto" || chance.is(0.4) ? {} : { until };
    const emergency = action === "on" && "until" in more && chance.is(0.3);
    await world.toggle(id, action, emergency ? { ...more, emergency, reason: "police" } : more);
  }

  async #schedule(title: string, calendar_id: string): Promise<void> {
    const { chance, world, noon } = this;
    const start = noon + chance.int(-96, 192) * QUARTER_MS;
    const target = this.#target();
    const made = await taken(
      servicesIn(world).schedules.create({
        title,
        target,
        area_id: this.lamps.find(({ id }) => this.lampsOf(target).includes(id))?.area,
        start_at: toIso(start),
        end_at: toIso(start + (chance.is(0.15) ? 96 : chance.int(1, 40)) * QUARTER_MS),
        start_sun: this.#sun(),
        end_sun: this.#sun(),
        rrule: chance.pick(this.#of(RULES)),
        timezone: chance.pick(ZONES),
        exdates: chance.is(0.3) ? [this.#date(chance.int(0, 3))] : [],
        ...(chance.is(0.25) && { calendar_id, calendar_rule: chance.pick(["skip", "only"]) }),
      }),
    );
    await this.#stamped();
    if (made) this.schedules.push(made.id);
  }

  async #limit(kind: "closures" | "permits"): Promise<void> {
    const from = this.noon + this.chance.int(-12, 48) * HOUR_MS;
    const to = toIso(from + this.chance.int(1, 20) * HOUR_MS);
    const limit = { target: this.#target(), from: toIso(from), to, reason: "wet ground" };
    await taken(servicesIn(this.world)[kind].create(limit));
  }

  #target(): Target {
    const { chance } = this;
    const type = chance.pick(["device", "device", "group", "area"] as const);
    if (type === "area") return { type, id: chance.pick(this.#of(this.areas)) };
    return { type, id: chance.pick(this.#of(type === "group" ? this.groups : this.lamps)).id };
  }

  #sun() {
    const { chance } = this;
    const [event, offset_min] = [chance.pick(EVENTS), chance.int(-60, 60)];
    return chance.is(0.25) ? { event, offset_min, not_before: null, not_after: null } : null;
  }

  #date(days: number): string {
    return toIso(this.noon + days * DAY_MS).slice(0, 10);
  }

  #of<Some>([first, ...more]: readonly Some[]): [Some, ...Some[]] {
    if (first === undefined) throw new Error("there is none to choose from");
    return [first, ...more];
  }

  /** Of what was made just now the database knows another time, which is later than the world's. */
  async #stamped(): Promise<void> {
    const now = toIso(this.world.now);
    await env.DB.batch(
      STAMPS.map(([table, column]) =>
        sql(`UPDATE ${table} SET ${column} = ?1 WHERE org_id = ?2 AND ${column} > ?1`, now, this.world.org_id),
      ),
    );
  }
}

/** What a service answers; null where it refuses, as it does some random wishes. */
async function taken<Made>(work: Promise<Made>): Promise<Made | null> {
  try {
    return await work;
  } catch (caught) {
    if (isRefusal(caught)) return null;
    throw caught;
  }
}
