import { env } from "cloudflare:test";
import { occurrences } from "#domain/recurrence";
import type { SwitchAction } from "#domain/words";
import { toInstant, toWall } from "#domain/wall-clock";
import type { World } from "#tests/support/engine";
import { setting, sql } from "#tests/support/light";
import { Chance } from "./chance";
import { Oracle } from "./oracle";

const ZONE = "America/Los_Angeles";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export type Plan = {
  id: string;
  device_id: string;
  start_at: string;
  end_at: string;
  rrule: string | null;
  timezone: string;
};

/**
 * One organization's life, by a seed: schedules of every kind, people, edits, broken lamps and hubs, an engine that dies
 * between any two steps, alarms that are late, doubled or lost, a database that goes away. The oracle watches the lamps.
 */
export class Life {
  readonly chance: Chance;
  readonly oracle: Oracle;
  readonly devices: string[];
  readonly hubs: string[];
  steps = 0;
  #n = 0;
  #d1IsDown = false;

  constructor(
    readonly world: World,
    readonly seed: number,
    lights: number,
  ) {
    this.chance = new Chance(seed);
    this.oracle = new Oracle(world);
    this.devices = Array.from({ length: lights }, (_, i) => `${world.org_id}-d${i}`);
    this.hubs = Array.from({ length: Math.max(1, Math.floor(lights / 5)) }, (_, i) => `${world.org_id}-h${i}`);
  }

  async begin(): Promise<void> {
    const org = this.world.org_id;
    const { chance } = this;
    await env.DB.batch([
      sql("INSERT INTO organizations (id, name) VALUES (?, ?)", org, org),
      sql("INSERT INTO areas (id, org_id, name, updated_at) VALUES (?, ?, 'Park', '2026-01-01')", `${org}-a`, org),
      ...this.hubs.map((id) =>
        sql("INSERT INTO hubs (id, org_id, area_id, name) VALUES (?, ?, ?, ?)", id, org, `${org}-a`, id),
      ),
      ...this.devices.map((id, i) =>
        sql(
          "INSERT INTO devices (id, org_id, area_id, hub_id, name, updated_at) VALUES (?, ?, ?, ?, ?, '2026-01-01')",
          id,
          org,
          `${org}-a`,
          this.hubs[i % this.hubs.length] ?? null,
          id,
        ),
      ),
      setting(org, "APP_TIMEZONE", ZONE),
      setting(org, "WATCHDOG_ENABLED", chance.is(0.7)),
      setting(org, "WATCHDOG_INTERVAL_SEC", 900),
      setting(org, "HUB_CHECK_INTERVAL_SEC", 1800),
    ]);
    for (const device of this.devices) for (let i = chance.int(0, 2); i > 0; i -= 1) await this.#addSchedule(device);
    await this.world.sync();
  }

  /** Lives until `days` have gone by; throws at the first thing the oracle objects to. */
  async live(days: number): Promise<void> {
    const end = this.world.now + days * DAY;
    while (this.world.now < end) {
      this.steps += 1;
      await this.world.to(this.world.now + Math.ceil(-Math.log(1 - this.chance.next()) * 1.5 * HOUR));
      this.oracle.check(!this.#d1IsDown);
      await this.#happen();
    }
    await this.#quiet();
    await this.oracle.close();
  }

  async #happen(): Promise<void> {
    const { chance, world } = this;
    const device = this.#anyDevice();
    const what = chance.int(0, 99);
    if (what < 18) return this.#press(device, chance.is(0.6) ? "on" : "off");
    if (what < 28) return this.#change(() => this.#addSchedule(device));
    if (what < 34) return this.#change(() => this.#cancel());
    if (what < 40) return this.#change(() => this.#edit());
    if (what < 44) return this.#change(() => this.#newGuardrails());
    if (what < 52) return this.#crash();
    if (what < 57) return this.#breakDatabase();
    if (what < 62) {
      world.alarm_at = world.alarm_at === null ? null : world.alarm_at + chance.int(1, 300) * 1000;
      return this.oracle.excuse(10 * 60_000);
    }
    if (what < 66) {
      world.alarm_at = null; // lost: only the sweep, at most five minutes later, sees to it
      await world.to(world.now + chance.int(1, 300) * 1000);
      this.oracle.excuse(10 * 60_000);
      return world.ring();
    }
    if (what < 70) {
      await Promise.all([world.ring(), world.ring()]);
      return world.calm();
    }
    if (what < 85) return this.#breakSomething(device);
    world.byHand(device, chance.is(0.5) ? "on" : "off");
    this.oracle.touchedByHand(device);
  }

  async #press(device: string, action: SwitchAction): Promise<void> {
    this.oracle.pressing = true;
    const { success } = await this.world.press(device, action);
    this.oracle.pressing = false;
    this.oracle.pressed(device, action, success);
  }

  async #change(change: () => Promise<void>): Promise<void> {
    if (this.#d1IsDown) return;
    await change();
    this.oracle.excuse(3 * 60_000);
    // One hint in five is lost; the next tick finds the newer version by itself.
    if (this.chance.is(0.8)) await this.world.sync();
  }

  async #addSchedule(device_id: string): Promise<void> {
    const { chance, world } = this;
    const id = `${world.org_id}-s${(this.#n += 1)}`;
    const day = Math.floor(toWall(ZONE, world.now) / DAY) * DAY + chance.int(0, 2) * DAY;
    const start = toInstant(ZONE, day + chance.int(0, 95) * 15 * 60_000);
    const end = start + chance.pick([5_000, 20 * 60_000, HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR]);
    if (end <= world.now) return;
    const rrule = chance.pick([null, "FREQ=DAILY;COUNT=10", "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE,SA;COUNT=20"]);
    const row: Plan = {
      id,
      device_id,
      start_at: new Date(start).toISOString(),
      end_at: new Date(end).toISOString(),
      rrule,
      timezone: ZONE,
    };
    await sql(
      `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone, updated_at)
       VALUES (?, ?, ?, 'Practice', ?, ?, ?, ?, ?)`,
      id,
      world.org_id,
      device_id,
      row.start_at,
      row.end_at,
      rrule,
      ZONE,
      new Date(world.now).toISOString(),
    ).run();
    this.oracle.plans.set(id, { ...row, since: world.now });
  }

  async #cancel(): Promise<void> {
    const plan = this.#anyPlan();
    if (!plan) return;
    const now = new Date(this.world.now).toISOString();
    await sql("UPDATE schedules SET status = 'canceled', updated_at = ? WHERE id = ?", now, plan.id).run();
    this.oracle.plans.delete(plan.id);
  }

  async #edit(): Promise<void> {
    const plan = this.#anyPlan();
    if (!plan) return;
    const end_at = new Date(Date.parse(plan.end_at) + this.chance.int(1, 4) * 15 * 60_000).toISOString();
    const now = new Date(this.world.now).toISOString();
    await sql("UPDATE schedules SET end_at = ?, updated_at = ? WHERE id = ?", end_at, now, plan.id).run();
    this.oracle.plans.set(plan.id, { ...plan, end_at, since: this.world.now });
  }

  async #newGuardrails(): Promise<void> {
    const { chance, world, oracle } = this;
    const HARD_CURFEW_OFF = chance.pick(["23:45", "22:30", ""]);
    const BLACKOUT_WINDOW = chance.pick(["00:00-05:00", "01:30-02:45", ""]);
    const MAX_ON_DURATION_MIN = chance.pick([30, 120, 240]);
    Object.assign(oracle.rules, { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN });
    await env.DB.batch([
      setting(world.org_id, "HARD_CURFEW_OFF", HARD_CURFEW_OFF),
      setting(world.org_id, "BLACKOUT_WINDOW", BLACKOUT_WINDOW),
      setting(world.org_id, "MAX_ON_DURATION_MIN", MAX_ON_DURATION_MIN),
    ]);
  }

  async #crash(): Promise<void> {
    const { world, chance } = this;
    world.die();
    const down = chance.is(0.5) ? chance.int(1, 60) * 1000 : chance.int(1, 8 * 60) * 60_000;
    this.oracle.down(world.now, world.now + down);
    this.#d1IsDown = false;
    await world.restart(new Date(world.now + down).toISOString());
    this.oracle.watch();
    this.oracle.excuse(5 * 60_000);
  }

  async #breakDatabase(): Promise<void> {
    this.#d1IsDown = !this.#d1IsDown;
    this.world.setDatabaseDown(this.#d1IsDown);
    this.oracle.excuse(5 * 60_000);
  }

  async #breakSomething(device: string): Promise<void> {
    const { chance, world } = this;
    const of = chance.is(0.3) ? `hub:${chance.pick([this.hubs[0] ?? "", ...this.hubs])}` : `lamp:${device}`;
    const fault = chance.pick([
      null,
      null,
      { kind: "offline" } as const,
      { kind: "flaky", n: chance.int(1, 3) } as const,
      { kind: "stuck" } as const,
      { kind: "drop" } as const,
      { kind: "slow", ms: chance.int(500, 20_000) } as const,
    ]);
    if (fault) world.fault(of, fault);
    else world.fault(of);
    this.oracle.broke(of, fault !== null);
  }

  /** Everything is healed and the clock moves on, so that what is owed can be paid and told. */
  async #quiet(): Promise<void> {
    this.#d1IsDown = false;
    this.world.setDatabaseDown(false);
    for (const id of this.hubs) this.#heal(`hub:${id}`);
    for (const id of this.devices) this.#heal(`lamp:${id}`);
    await this.world.ring();
    await this.world.to(this.world.now + 3 * HOUR);
  }

  #heal(of: string): void {
    this.world.fault(of);
    this.oracle.broke(of, false);
  }

  #anyDevice(): string {
    return this.chance.pick([this.devices[0] ?? "", ...this.devices]);
  }

  #anyPlan(): Plan | undefined {
    const plans = [...this.oracle.plans.values()];
    const open = plans.filter((plan) => occurrences(plan, this.world.now, this.world.now + 14 * DAY).length > 0);
    return open[this.chance.int(0, Math.max(0, open.length - 1))];
  }
}
