import type { SwitchAction } from "#domain/enums";
import { TIMEZONES } from "#domain/enums";
import type { World } from "#tests/support/engine";
import type { WireState } from "#tests/support/wire";
import { setting, sql } from "#tests/support/light";
import { DAY, instantOf, wallOf, windowsOf, type Plan } from "./calendar";
import { Chance } from "./prng";
import type { City, CityPlan } from "./city";
import type { Lamps, Trouble } from "./lamps";
import { Oracle } from "./oracle";

const ZONE = "America/Los_Angeles";
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LIGHTS_A_HUB = 5;
const SWEEP_EVERY = 5 * MINUTE;

/**
 * One organization's life, by a seed: schedules of every kind, people, edits, broken lamps and hubs, an engine that dies
 * between any two steps, alarms that are late, doubled or lost, a database that goes away. The oracle watches the lamps.
 */
export class Life {
  readonly chance: Chance;
  readonly oracle: Oracle;
  steps = 0;
  #n = 0;
  /** When the watchdog sleeps again. */
  #quiet_at = Infinity;
  #city: City;

  constructor(
    readonly world: World,
    readonly lamps: Lamps,
    readonly seed: number,
    readonly lights: number,
  ) {
    this.chance = new Chance(seed);
    lamps.world = world;
    this.#city = {
      version: 0,
      rules: { HARD_CURFEW_OFF: "23:45", BLACKOUT_WINDOW: "00:00-05:00", MAX_ON_DURATION_MIN: 240, zone: ZONE },
      watchdog: false,
      watchdog_sec: 900,
      hub_check_sec: 86_400,
      areaIsActive: true,
      area_changed_at: 0,
      hubs: new Set(),
      devices: new Map(),
      plans: new Map(),
    };
    this.oracle = new Oracle(world, lamps, this.#city);
  }

  async begin(): Promise<void> {
    const org = this.world.org_id;
    const hubs = Array.from({ length: Math.ceil(this.lights / LIGHTS_A_HUB) }, () => this.#name("h"));
    const devices = Array.from({ length: this.lights }, () => this.#name("d"));
    const made = new Map(
      devices.map((id, i) => {
        // One in ten lights has no hub.
        const hub = i % 10 === 9 ? null : (hubs[i % hubs.length] ?? null);
        return [id, { lamp: id, hub, changed_at: 0 }];
      }),
    );
    const { rules, watchdog, watchdog_sec, hub_check_sec } = this.#city;
    await this.#change(
      [
        sql("INSERT INTO organizations (id, name) VALUES (?, ?)", org, org),
        sql("INSERT INTO areas (id, org_id, name, updated_at) VALUES (?, ?, 'Park', '2026-01-01')", this.#area, org),
        ...hubs.map((id) => this.#insertHub(id)),
        ...[...made].map(([id, { hub }]) => this.#insertDevice(id, hub)),
        setting(org, "APP_TIMEZONE", rules.zone),
        setting(org, "WATCHDOG_ENABLED", watchdog),
        setting(org, "WATCHDOG_INTERVAL_SEC", watchdog_sec),
        setting(org, "HUB_CHECK_INTERVAL_SEC", hub_check_sec),
      ],
      { hubs: new Set(hubs), devices: made },
      true,
    );
    for (let i = Math.ceil(this.lights * 0.8); i > 0; i -= 1) await this.#addSchedule();
  }

  /** Lives until `days` have gone by; throws at the first thing the oracle objects to. */
  async live(days: number): Promise<void> {
    const end = this.world.now + days * DAY;
    const often = (40 * HOUR) / Math.max(20, this.lights);
    while (this.world.now < end) {
      const gap = Math.ceil(-Math.log(1 - this.chance.next()) * often);
      await this.#pass(Math.max(0, Math.min(gap, this.#quiet_at - this.world.now)));
      await this.#happen();
      // What is wrong for longer than a moment is seen now.
      await this.#pass(this.chance.int(1, 3 * SECOND));
    }
    await this.#quiet();
  }

  async #pass(ms: number): Promise<void> {
    this.steps += 1;
    await this.world.to(this.world.now + ms);
    this.oracle.check();
  }

  async #happen(): Promise<void> {
    const { chance, world } = this;
    if (world.now >= this.#quiet_at) {
      const isDown = world.wire.state.kind === "down";
      this.#quiet_at = isDown ? world.now + 10 * MINUTE : Infinity;
      if (!isDown) return this.#newMonitoring(true);
    }
    if (this.#opensAgain && world.wire.state.kind !== "down") {
      this.#opensAgain = false;
      if (!this.#city.areaIsActive) return this.#openArea(true);
    }
    const what = chance.int(0, 99);
    if (what < 16) return this.#press();
    if (what < 18) return this.#toggleQuickly();
    if (what < 25) return this.#addSchedule();
    if (what < 29) return this.#cancel();
    if (what < 34) return this.#edit();
    if (what < 37) return this.#newGuardrails();
    if (what < 39) return this.#newMonitoring();
    if (what < 45) return this.#rebuild();
    if (what < 50) return world.die(this.#downtime());
    if (what < 62) return world.dieAfter(chance.int(1, 80), this.#downtime());
    if (what < 67) return this.#breakDatabase();
    if (what < 77) return this.#bendAlarm();
    if (what < 91) return this.#breakSomething();
    const device = this.#city.devices.get(this.#anyDevice());
    if (device) this.oracle.switchExternally(device.lamp, chance.is(0.6) ? "on" : "off");
  }

  #downtime(): number {
    const { chance } = this;
    const down = chance.pick([0, chance.int(1, 60) * SECOND, chance.int(1, 60) * MINUTE, chance.int(1, 9) * HOUR]);
    this.world.sweepAfter(down + chance.int(0, SWEEP_EVERY));
    return down;
  }

  async #press(device = this.#anyDevice(), action: SwitchAction = this.chance.is(0.6) ? "on" : "off"): Promise<void> {
    const { world, oracle } = this;
    let began = world.now;
    world.beginToggle(
      device,
      action,
      (result) => oracle.pressed(device, action, began, result),
      () => {
        began = world.now;
        oracle.pressing(device, action);
      },
    );
    await world.calm();
  }

  async #toggleQuickly(): Promise<void> {
    const device = this.#anyDevice();
    for (let i = this.chance.int(2, 7); i > 0; i -= 1) {
      await this.#press(device, i % 2 === 0 ? "on" : "off");
      await this.#pass(this.chance.int(0, 1_500));
    }
  }

  /** People's changes go to D1, when it is there for them; one hint in five is lost on the way to the engine. */
  async #change(statements: D1PreparedStatement[], now: Partial<City>, isSure = false): Promise<void> {
    const { world } = this;
    if (world.wire.state.kind === "down") return;
    const version = sql("SELECT config_version FROM organizations WHERE id = ?", world.org_id);
    const results = await world.wire.drain([...statements, version]);
    const [row] = results.at(-1)?.results ?? [];
    world.wire.changed();
    this.#city = { ...this.#city, ...now, version: versionIn(row) };
    this.oracle.trace.note(null, `D1 has version ${this.#city.version}: ${Object.keys(now).join(", ")}`);
    this.oracle.committedToD1(this.#city);
    if (isSure || this.chance.is(0.8)) await world.sync();
    else world.sweepAfter(this.chance.int(1, SWEEP_EVERY));
    if (world.now < world.down_until) world.sweepAfter(world.down_until - world.now + SWEEP_EVERY);
  }

  async #addSchedule(): Promise<void> {
    const { chance, world } = this;
    const open = this.#openPlans();
    if (open.length > this.lights * 0.9) return this.#cancel();
    const id = this.#name("s");
    const timezone = chance.is(0.9) ? this.#city.rules.zone : chance.pick(TIMEZONES);
    const day = Math.floor(wallOf(timezone, world.now) / DAY) * DAY + chance.int(0, 2) * DAY;
    const start = instantOf(timezone, day + chance.int(0, 95) * 15 * MINUTE, "first");
    const end = start + chance.pick([5 * SECOND, 20 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 5 * HOUR, 10 * HOUR, DAY]);
    if (end <= world.now) return;
    const until = new Date(start + chance.int(1, 60) * DAY).toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const plan: Plan = {
      id,
      device_id: this.#anyDevice(),
      title: "Practice",
      start_at: new Date(start).toISOString(),
      end_at: new Date(end).toISOString(),
      rrule: chance.pick([
        null,
        null,
        "FREQ=DAILY;COUNT=10",
        "FREQ=DAILY;INTERVAL=3",
        `FREQ=DAILY;INTERVAL=2;UNTIL=${until}`,
        "FREQ=WEEKLY;BYDAY=MO,WE,SA;COUNT=20",
        "FREQ=WEEKLY;BYDAY=SU",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU",
      ]),
      timezone,
      status: "scheduled",
    };
    const statement = sql(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone, created_at, updated_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`,
      id,
      world.org_id,
      plan.device_id,
      plan.title,
      plan.start_at,
      plan.end_at,
      plan.rrule,
      timezone,
      this.#iso(),
    );
    const plans = new Map(this.#city.plans).set(id, { ...plan, made_at: world.now, changed_at: world.now });
    // What has long ended is no plan any more.
    for (const [old, { status }] of plans) if (status === "canceled") plans.delete(old);
    await this.#change([statement], { plans });
  }

  async #cancel(): Promise<void> {
    const plan = this.#anyPlan();
    if (!plan) return;
    const plans = new Map(this.#city.plans);
    plans.set(plan.id, { ...plan, status: "canceled", changed_at: this.world.now });
    await this.#change(
      [sql("UPDATE schedules SET status = 'canceled', updated_at = ? WHERE id = ?", this.#iso(), plan.id)],
      { plans },
    );
  }

  async #edit(): Promise<void> {
    const plan = this.#anyPlan();
    if (!plan) return;
    const { chance } = this;
    const moved = chance.is(0.3) ? chance.int(-8, 8) * 15 * MINUTE : 0;
    const start = Date.parse(plan.start_at) + moved;
    const end = Math.max(start + MINUTE, Date.parse(plan.end_at) + moved + chance.int(-4, 4) * 15 * MINUTE);
    const next = {
      ...plan,
      start_at: new Date(start).toISOString(),
      end_at: new Date(Math.min(end, start + DAY)).toISOString(),
      device_id: chance.is(0.2) ? this.#anyDevice() : plan.device_id,
      changed_at: this.world.now,
    };
    const statement = sql(
      "UPDATE schedules SET start_at = ?, end_at = ?, device_id = ?, updated_at = ? WHERE id = ?",
      next.start_at,
      next.end_at,
      next.device_id,
      this.#iso(),
      plan.id,
    );
    await this.#change([statement], { plans: new Map(this.#city.plans).set(plan.id, next) });
  }

  async #newGuardrails(): Promise<void> {
    const { chance, world } = this;
    const rules = {
      HARD_CURFEW_OFF: chance.pick(["23:45", "22:30", "02:30", ""]),
      BLACKOUT_WINDOW: chance.pick(["00:00-05:00", "01:30-02:45", "20:30-22:00", ""]),
      MAX_ON_DURATION_MIN: chance.pick([30, 120, 240, 600]),
      zone: chance.is(0.1) ? chance.pick(TIMEZONES) : ZONE,
    };
    const { zone, ...rest } = rules;
    await this.#change(
      [
        ...Object.entries(rest).map(([key, value]) => setting(world.org_id, key, value)),
        setting(world.org_id, "APP_TIMEZONE", zone),
      ],
      { rules },
    );
  }

  /** Mostly the watchdog sleeps and hubs are asked once a day: what holds without them has to hold by itself. */
  async #newMonitoring(isQuiet = false): Promise<void> {
    const { chance, world } = this;
    const watchdog = !isQuiet && chance.is(0.7);
    const watchdog_sec = isQuiet ? 900 : chance.pick([60, 900, 3_600]);
    const hub_check_sec = isQuiet ? 86_400 : chance.pick([180, 3_600]);
    await this.#change(
      [
        setting(world.org_id, "WATCHDOG_ENABLED", watchdog),
        setting(world.org_id, "WATCHDOG_INTERVAL_SEC", watchdog_sec),
        setting(world.org_id, "HUB_CHECK_INTERVAL_SEC", hub_check_sec),
      ],
      { watchdog, watchdog_sec, hub_check_sec },
    );
    if (isQuiet) return;
    this.#quiet_at = world.now + chance.int(4, 12) * Math.min(watchdog_sec, hub_check_sec) * SECOND;
  }

  /** Hubs and devices come, go, and get another address. */
  async #rebuild(): Promise<void> {
    const { chance, world } = this;
    const id = this.#anyDevice();
    const device = this.#city.devices.get(id);
    if (!device) return;
    const devices = new Map(this.#city.devices);
    const changed_at = world.now;
    const what = chance.int(0, 5);
    if (what === 0) {
      devices.delete(id);
      const fresh = this.#name("d");
      devices.set(fresh, { lamp: fresh, hub: device.hub, changed_at });
      const plans = new Map([...this.#city.plans].filter(([, plan]) => plan.device_id !== id));
      const gone = sql("DELETE FROM devices WHERE id = ?", id);
      return this.#change([gone, this.#insertDevice(fresh, device.hub)], { devices, plans });
    }
    if (what === 1 && device.hub !== null) {
      const { hub } = device;
      const hubs = new Set(this.#city.hubs);
      hubs.delete(hub);
      for (const [other, at] of devices) if (at.hub === hub) devices.set(other, { ...at, hub: null, changed_at });
      return this.#change([sql("DELETE FROM hubs WHERE id = ?", hub)], { devices, hubs });
    }
    if (what === 2) {
      const hub = this.#name("h");
      const homeless = [...devices].filter(([, at]) => at.hub === null).slice(0, LIGHTS_A_HUB);
      for (const [other, at] of homeless) devices.set(other, { ...at, hub, changed_at });
      return this.#change(
        [
          this.#insertHub(hub),
          ...homeless.map(([other]) =>
            sql("UPDATE devices SET hub_id = ?, updated_at = ? WHERE id = ?", hub, this.#iso(), other),
          ),
        ],
        { devices, hubs: new Set(this.#city.hubs).add(hub) },
      );
    }
    if (what === 3) {
      const lamp = this.#name("lamp");
      devices.set(id, { ...device, lamp, changed_at });
      const statement = sql(
        "UPDATE devices SET cloud_device_id = ?, updated_at = ? WHERE id = ?",
        lamp,
        this.#iso(),
        id,
      );
      return this.#change([statement], { devices });
    }
    if (what === 4) {
      const [hub] = [...this.#city.hubs].slice(chance.int(0, Math.max(0, this.#city.hubs.size - 1)));
      if (hub === undefined) return;
      devices.set(id, { ...device, hub, changed_at });
      const statement = sql("UPDATE devices SET hub_id = ?, updated_at = ? WHERE id = ?", hub, this.#iso(), id);
      return this.#change([statement], { devices });
    }
    await this.#openArea(!this.#city.areaIsActive);
    world.outside(chance.int(1, 12) * HOUR, () => {
      this.#opensAgain = true;
    });
  }

  async #openArea(areaIsActive: boolean): Promise<void> {
    const statement = sql(
      "UPDATE areas SET active = ?, updated_at = ? WHERE id = ?",
      areaIsActive ? 1 : 0,
      this.#iso(),
      this.#area,
    );
    await this.#change([statement], { areaIsActive, area_changed_at: this.world.now });
  }

  #opensAgain = false;

  async #breakDatabase(): Promise<void> {
    const { chance, world } = this;
    const { wire } = world;
    this.oracle.check();
    wire.state = chance.pick<WireState>([
      { kind: "down" },
      { kind: "lossy" },
      { kind: "slow", ms: chance.int(100, 3_000) },
    ]);
    this.oracle.trace.note(null, `D1 is ${wire.state.kind}`);
    world.outside(chance.int(1, chance.is(0.1) ? 5 * 3_600 : 300) * SECOND, () => {
      this.oracle.heal(() => (wire.state = { kind: "up" }), "D1 is up");
    });
  }

  async #bendAlarm(): Promise<void> {
    const { chance, world, oracle } = this;
    const what = chance.int(0, 3);
    if (what === 0) {
      if (world.now < world.down_until) return;
      oracle.trace.note(null, "the alarm rings though nobody asked, twice");
      void world.ring();
      return world.ring();
    }
    if (world.alarm_at === null) return;
    if (what === 1) {
      oracle.trace.note(null, "the next alarm is lost");
      world.sweepAfter(Math.max(0, world.alarm_at - world.now) + chance.int(0, SWEEP_EVERY));
      world.alarm_at = null;
      return;
    }
    world.alarm_at += chance.pick([chance.int(1, 2_000), chance.int(1, 300) * SECOND]);
    oracle.trace.note(null, `the next alarm is late: ${new Date(world.alarm_at).toISOString().slice(11, 23)}`);
  }

  async #breakSomething(): Promise<void> {
    const { chance, lamps, world } = this;
    const lamp = this.#city.devices.get(this.#anyDevice())?.lamp ?? "";
    const [hub] = [...this.#city.hubs].slice(chance.int(0, Math.max(0, this.#city.hubs.size - 1)));
    const of = chance.is(0.3) && hub !== undefined ? `hub:${hub}` : `lamp:${lamp}`;
    const trouble: Trouble = chance.pick<Trouble>([
      { kind: "offline" },
      { kind: "flaky", n: chance.int(1, 4) },
      { kind: "stuck" },
      { kind: "drop" },
      { kind: "blind" },
      { kind: "slow", ms: chance.int(500, 8_400) },
      { kind: "slow", ms: chance.int(8_600, 20_000) },
    ]);
    this.oracle.heal(() => lamps.troubles.set(of, trouble), `${of} is ${trouble.kind}`);
    const lasts = chance.pick([chance.int(1, 120) * SECOND, chance.int(1, 60) * MINUTE, chance.int(1, 12) * HOUR]);
    world.outside(lasts, () => {
      if (lamps.troubles.get(of) === trouble) this.oracle.heal(() => lamps.troubles.delete(of), `${of} is well`);
    });
  }

  /** Everything is healed and the clock moves on, so that what is owed can be paid and told. */
  async #quiet(): Promise<void> {
    const { world, lamps, oracle } = this;
    oracle.heal(() => {
      world.wire.state = { kind: "up" };
      lamps.troubles.clear();
    }, "all is well");
    await world.to(Math.max(world.now, world.down_until));
    await world.ring();
    for (let i = 0; i < 6; i += 1) await this.#pass(HOUR / 2);
    await world.wire.drain();
    const row = await sql("SELECT COUNT(*) AS told FROM scheduler_events WHERE org_id = ?", world.org_id).first<{
      told: number;
    }>();
    if (row?.told !== oracle.ledger.events) {
      oracle.object(null, `${oracle.ledger.events} events were posted, and D1 has ${row?.told}`);
    }
  }

  #openPlans(): CityPlan[] {
    const { now } = this.world;
    return [...this.#city.plans.values()].filter(
      (plan) => plan.status === "scheduled" && (windowsOf(plan).at(-1)?.end ?? 0) > now,
    );
  }

  #anyPlan(): CityPlan | undefined {
    const open = this.#openPlans();
    return open[this.chance.int(0, Math.max(0, open.length - 1))];
  }

  #anyDevice(): string {
    const ids = [...this.#city.devices.keys()];
    return ids[this.chance.int(0, ids.length - 1)] ?? "";
  }

  #insertHub(id: string): D1PreparedStatement {
    const org = this.world.org_id;
    return sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES (?, ?, ?, ?)", id, org, this.#area, id);
  }

  #insertDevice(id: string, hub: string | null): D1PreparedStatement {
    return sql(
      "INSERT INTO devices (id, org_id, area_id, hub_id, name, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      this.world.org_id,
      this.#area,
      hub,
      id,
      this.#iso(),
    );
  }

  get #area(): string {
    return `${this.world.org_id}-a`;
  }

  #name(kind: string): string {
    return `${this.world.org_id}-${kind}${(this.#n += 1)}`;
  }

  #iso(): string {
    return new Date(this.world.now).toISOString();
  }
}

function versionIn(row: unknown): number {
  if (typeof row === "object" && row !== null && "config_version" in row) return Number(row.config_version);
  throw new Error("D1 has no such organization");
}
