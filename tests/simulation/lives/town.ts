import type { World } from "#tests/support/engine";
import { sql } from "#tests/support/light";
import { edgeAfter } from "#tests/simulation/oracle/catch-up";
import { windowsOf, type Position } from "#tests/simulation/oracle/calendar";
import {
  NEVER_CHANGED,
  type City,
  type CityArea,
  type CityDevice,
  type CityPlan,
  type CityTarget,
} from "#tests/simulation/oracle/city";
import { Oracle } from "#tests/simulation/oracle/oracle";
import { placedPlan } from "#tests/simulation/oracle/targets";
import { Chance } from "#tests/simulation/world/prng";
import type { Lamps } from "#tests/simulation/world/lamps";

export const ZONE = "America/Los_Angeles";
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const LIGHTS_A_HUB = 5;
export const SWEEP_EVERY = 5 * MINUTE;

const A_PLACE: CityArea = { type: "", isActive: true, changed_at: 0, written_at: 0, stagger_sec: 0, positions: null };

/** The organization that is lived in: its records as D1 has them, who changes them, and the oracle that watches. */
export class Town {
  readonly chance: Chance;
  readonly oracle: Oracle;
  steps = 0;
  /** Numbers what is made. */
  n = 0;
  /** When the watchdog sleeps again. */
  quiet_at = Infinity;
  opensAgain = false;
  isServedAgain = false;
  clockIsRightAt = Infinity;
  city: City;

  constructor(
    readonly world: World,
    readonly lamps: Lamps,
    readonly seed: number,
    readonly lights: number,
  ) {
    this.chance = new Chance(seed);
    lamps.world = world;
    this.city = {
      epoch: "1",
      version: 0,
      rules: { HARD_CURFEW_OFF: "23:45", BLACKOUT_WINDOW: "00:00-05:00", MAX_ON_DURATION_MIN: 240, zone: ZONE },
      changed_at: NEVER_CHANGED,
      mode: lamps.mode,
      watchdog: false,
      watchdog_sec: 900,
      hub_check_sec: 86_400,
      positions: [{ lat: 37.8, lon: -122.4, since: 0 }],
      areas: new Map(
        this.areas().map((id, n) => [
          id,
          { ...A_PLACE, type: n === 0 ? "park" : "path", stagger_sec: n === 0 ? 0 : 3 },
        ]),
      ),
      restored_at: 0,
      isServed: true,
      served_at: 0,
      hubs: new Set(),
      access: new Map(),
      devices: new Map(),
      plans: new Map(),
      groups: new Map(),
      calendars: new Map(),
      policies: new Map(),
      permits: new Map(),
      closures: new Map(),
    };
    this.oracle = new Oracle(world, lamps, this.city);
  }

  async pass(ms: number): Promise<void> {
    this.steps += 1;
    await this.world.to(this.world.now + ms);
    this.oracle.check();
  }

  /** Passes the time, and looks also just after the next instant at which something changes for some light. */
  async passWatching(ms: number): Promise<void> {
    const { world, oracle, chance } = this;
    const end = world.now + ms;
    const books = [...oracle.desk.books.values()];
    const held = books.filter(({ hold, emergency }) => hold ?? emergency);
    const some = held.length > 0 && chance.is(0.7) ? held : books;
    const book = some[chance.int(0, Math.max(0, some.length - 1))];
    const edge = book ? edgeAfter(book, oracle.desk.known, world.clock) : Infinity;
    const seen = edge - world.skew_ms + 2 * SECOND;
    if (seen > world.now && seen < end) await this.pass(seen - world.now);
    await this.pass(Math.max(0, end - world.now));
  }

  async untilCallsAreOver(): Promise<void> {
    for (let n = 0; n < 60 && this.oracle.desk.callsUnderWay > 0; n += 1) await this.pass(SECOND);
  }

  /** Whether people's changes reach D1. */
  get isSaving(): boolean {
    const { kind } = this.world.wire.state;
    return kind !== "down" && kind !== "hung";
  }

  /** People's changes go to D1, when it is there for them; one hint in five is lost on the way to the engine. */
  async change(statements: D1PreparedStatement[], now: Partial<City>, isSure = false): Promise<void> {
    const { world } = this;
    if (!this.isSaving) return;
    const version = sql("SELECT config_version FROM organizations WHERE id = ?", world.org_id);
    const results = await world.wire.drain([...statements, version]);
    const [row] = results.at(-1)?.results ?? [];
    world.wire.changed();
    this.city = { ...this.city, ...now, version: versionIn(row) };
    this.oracle.desk.trace.note(null, `D1 has version ${this.city.version}: ${Object.keys(now).join(", ")}`);
    this.install();
    this.oracle.committedToD1(this.city);
    if (isSure || this.chance.is(0.8)) await world.sync();
    else world.sweepAfter(this.chance.int(1, SWEEP_EVERY));
    if (world.now < world.down_until) world.sweepAfter(world.down_until - world.now + SWEEP_EVERY);
  }

  /** The lamps and hubs stand where the records say. */
  install(): void {
    const hubs = [...this.city.hubs].map((id) => ({ id, ip: addressOf(id) }));
    this.lamps.install(hubs, this.city.devices.values());
  }

  openPlans(): CityPlan[] {
    const { now } = this.world;
    return [...this.city.plans.values()].filter(
      (plan) => plan.status === "scheduled" && (windowsOf(placedPlan(this.city, plan)).at(-1)?.end ?? 0) > now,
    );
  }

  anyPlan(): CityPlan | undefined {
    const open = this.openPlans();
    return open[this.chance.int(0, Math.max(0, open.length - 1))];
  }

  anyDevice(): string {
    const ids = [...this.city.devices.keys()];
    return ids[this.chance.int(0, ids.length - 1)] ?? "";
  }

  anyGroup(): string | undefined {
    const ids = [...this.city.groups.keys()];
    return ids[this.chance.int(0, Math.max(0, ids.length - 1))];
  }

  anyArea(): string {
    return this.chance.pick(this.areas());
  }

  /** A light, or now and then a group or all lights of an area. */
  anyTarget(): CityTarget {
    const what = this.chance.int(0, 99);
    const group = what < 20 ? this.anyGroup() : undefined;
    if (group !== undefined) return { kind: "group", id: group };
    return what < 25 ? { kind: "area", id: this.anyArea() } : { kind: "device", id: this.anyDevice() };
  }

  isThere({ kind, id }: CityTarget): boolean {
    const { devices, groups, areas } = this.city;
    return { device: devices, group: groups, area: areas }[kind].has(id);
  }

  /** Where the sun of a target is seen from. */
  positionsOf(target: CityTarget): readonly Position[] {
    const [light] = this.lightsOf(target);
    const area = target.kind === "area" ? target.id : (this.city.devices.get(light ?? "")?.area ?? "");
    return this.city.areas.get(area)?.positions ?? this.city.positions;
  }

  /** The lights of a target, as the city is now. */
  lightsOf({ kind, id }: CityTarget): string[] {
    if (kind === "device") return [id];
    if (kind === "group") return [...(this.city.groups.get(id)?.members.keys() ?? [])];
    return [...this.city.devices].filter(([, { area }]) => area === id).map(([device]) => device);
  }

  anyDepartment(): string | null {
    return this.chance.pick([null, ...this.departments()]);
  }

  /** The fields, and the path along the river. */
  areas(): [string, string] {
    return [`${this.world.org_id}-a`, `${this.world.org_id}-b`];
  }

  departments(): [string, string] {
    return [`${this.world.org_id}-north`, `${this.world.org_id}-south`];
  }

  insertHub(id: string): D1PreparedStatement {
    const org = this.world.org_id;
    return sql(
      `INSERT INTO hubs (id, org_id, area_id, name, ip_address, local_client_id, local_client_secret)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      org,
      this.areas()[0],
      id,
      addressOf(id),
      `client-${id}`,
      secretOf(id),
    );
  }

  insertDevice(id: string, { lamp, hub, dept, area, restrike_min }: CityDevice): D1PreparedStatement {
    return sql(
      `INSERT INTO devices (id, cloud_device_id, org_id, area_id, hub_id, dept_id, name, restrike_min, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      lamp,
      this.world.org_id,
      area,
      hub,
      dept,
      id,
      restrike_min,
      this.iso(),
    );
  }

  name(kind: string): string {
    return `${this.world.org_id}-${kind}${(this.n += 1)}`;
  }

  /** A lamp that was just put up, by its number with the vendor. */
  newLamp(): string {
    return `d88b4c01${(this.n += 1).toString(16).padStart(8, "0")}`;
  }

  iso(): string {
    return new Date(this.world.now).toISOString();
  }
}

/** What opens a hub. */
export function secretOf(hub: string): string {
  return `local+secret/${hub}==`;
}

/** A target as the columns of a schedule, a permit or a closure: device, group and area. */
export function columnsOf({ kind, id }: CityTarget): [string | null, string | null, string | null] {
  return [kind === "device" ? id : null, kind === "group" ? id : null, kind === "area" ? id : null];
}

/** The private address of a hub, by its number. */
function addressOf(hub: string): string {
  const n = Number(/\d+$/.exec(hub)?.[0] ?? 0);
  return `10.1.${n >> 8}.${n & 255}`;
}

function versionIn(row: unknown): number {
  if (typeof row === "object" && row !== null && "config_version" in row) return Number(row.config_version);
  throw new Error("D1 has no such organization");
}
