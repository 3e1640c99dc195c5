import { env } from "cloudflare:test";
import type { World } from "#tests/support/engine";
import { aSchedule, setting, sql } from "#tests/support/light";
import { Chance } from "../world/prng";
import { Lamps } from "./lamps";
import { IN_TURN_MS, Oracle } from "./oracle";
import { Site, SIMPLE_KEY } from "./site";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long after the line is back everything has to be in order: the take-in, a look, and the ladder of what is owed. */
const SETTLES_MS = 4 * MINUTE_MS;

/** So many lights stand in a row, and keep the same hours until one of them is given others. */
const LIGHTS_A_ROW = 5;

/** A park behind one agent, whose line is down a tenth of the time. */
export class AgentLife {
  readonly lamps: Lamps;
  readonly site: Site;
  readonly oracle: Oracle;
  readonly chance: Chance;
  steps = 0;
  cuts = 0;
  cut_ms = 0;

  constructor(
    readonly world: World,
    readonly agent_id: string,
    readonly devices: string[],
    seed: number,
    /** Replaces the city's release in the middle of each cut. */
    readonly more: { upgraded?: () => void } = {},
  ) {
    this.chance = new Chance(seed);
    this.lamps = new Lamps(() => this.site.now);
    this.site = new Site(world, agent_id, this.lamps);
    this.oracle = new Oracle(world, this.site, this.lamps);
  }

  async begin(): Promise<void> {
    const { chance, world, devices } = this;
    await setting(world.org_id, "MAX_ON_DURATION_MIN", chance.int(90, 400), "2026-01-01").run();
    await setting(world.org_id, "HUB_CHECK_INTERVAL_SEC", 3_600, "2026-01-01").run();
    if (chance.is(0.5)) await setting(world.org_id, "BLACKOUT_WINDOW", "02:00-04:30", "2026-01-01").run();
    for (let n = 0; n < devices.length; n += LIGHTS_A_ROW) {
      const { start, end } = this.#hours();
      for (const device of this.#row(n))
        await aSchedule(world.org_id, `s-${device}`, start, end, { device, rrule: "FREQ=DAILY" });
    }
    this.#useSimpleKey();
    await world.sync();
    this.site.mend();
    await world.to(world.now + MINUTE_MS);
  }

  async live(days: number): Promise<void> {
    const end = this.world.now + days * DAY_MS;
    // Also the shortest life has an evening alone.
    await this.#linked(2 * HOUR_MS);
    await this.#alone(this.chance.int(10, 16) * HOUR_MS);
    while (this.world.now < end) {
      await this.#linked(this.chance.int(10, 80) * HOUR_MS);
      await this.#alone(this.#cutLength());
    }
  }

  #hours(): { start: string; end: string } {
    const { chance } = this;
    const start = Date.parse("2026-01-01T16:00:00.000Z") + chance.int(0, 40) * 15 * MINUTE_MS;
    return {
      start: new Date(start).toISOString(),
      end: new Date(start + chance.int(1, 30) * 15 * MINUTE_MS).toISOString(),
    };
  }

  #cutLength(): number {
    const { chance } = this;
    if (chance.is(0.5)) return chance.int(1, 300) * SECOND_MS;
    return chance.is(0.7) ? chance.int(5, 180) * MINUTE_MS : chance.int(3 * 60, 60 * 60) * MINUTE_MS;
  }

  async #linked(ms: number): Promise<void> {
    const { chance, world, lamps } = this;
    const end = world.now + ms;
    while (world.now < end) {
      await this.#to(Math.min(end, world.now + chance.int(30, 900) * MINUTE_MS));
      const dice = chance.next();
      if (dice < 0.3) await this.#toggle();
      else if (dice < 0.45) await this.#edit();
      else if (dice < 0.5) await this.#deploy();
    }
    // Some lines are cut after a hub was: what was to be lit then waits for both.
    if (!chance.is(0.3)) return;
    lamps.setHubs(false);
    await this.#to(world.now + chance.int(1, 120) * MINUTE_MS);
  }

  async #alone(ms: number): Promise<void> {
    const { chance, world, site, lamps } = this;
    this.cuts += 1;
    this.cut_ms += ms;
    const end = world.now + ms;
    this.oracle.cut();
    site.cut(chance.int(0, 20) * SECOND_MS, { isNoticed: chance.is(0.5), isInFull: chance.is(0.1) });
    if (this.more.upgraded) {
      await this.#to(world.now + chance.int(0, ms / 2));
      await this.#deploy(this.more.upgraded);
    }
    if (!lamps.areHubsUp && chance.is(0.7)) {
      await this.#to(world.now + chance.int(1, ms / 2));
      lamps.setHubs(true);
    }
    while (world.now < end) {
      await this.#to(Math.min(end, world.now + chance.int(1, 240) * MINUTE_MS));
      if (world.now >= end) break;
      const dice = chance.next();
      if (dice < 0.15) await this.#toggle();
      else if (dice < 0.25) await this.#edit();
      else if (dice < 0.4) lamps.switch(this.#device(), chance.pick(["on", "off"]), "hand");
      else if (dice < 0.5) lamps.setHubs(!lamps.areHubsUp);
      else if (dice < 0.55 && site.isRunning) await this.#reboot(end);
    }
    if (!lamps.areHubsUp) lamps.setHubs(true);
    site.mend();
    await this.#to(world.now + SETTLES_MS);
    while (this.oracle.isUnderWay()) await this.#to(world.now + IN_TURN_MS);
    // A light that a hand lit during the cut may still be on: until the watchdog reads it nobody knows.
    await this.oracle.settled(
      this.devices.filter((device) => !this.lamps.touchedSince(device, end - ms)),
      end - ms,
    );
  }

  async #reboot(end: number): Promise<void> {
    const { chance, world, site } = this;
    site.crash();
    await this.#to(Math.min(end, world.now + chance.int(1, 90) * MINUTE_MS));
    const isSynced = chance.is(0.6);
    // A clock that network time has set is right; another one may be anything.
    site.boot({ at: world.now + (isSynced ? 0 : chance.int(-600, 600) * MINUTE_MS), isSynced });
  }

  async #toggle(): Promise<void> {
    const { chance, world } = this;
    const device = this.#device();
    const hours = chance.int(1, 5);
    const until = new Date(world.now + hours * HOUR_MS).toISOString();
    this.oracle.toggled(device);
    await world.toggle(device, chance.pick(["on", "off"]), chance.is(0.7) ? { until } : {});
    this.steps += 1;
  }

  async #edit(): Promise<void> {
    const { world, chance, devices } = this;
    const { start, end } = this.#hours();
    const now = new Date(world.now).toISOString();
    const some = chance.is(0.4) ? [this.#device()] : this.#row(chance.int(0, devices.length - 1));
    await env.DB.batch(
      some.map((device) =>
        sql(
          "UPDATE schedules SET start_at = ?, end_at = ?, updated_at = ? WHERE id = ?",
          start,
          end,
          now,
          `s-${device}`,
        ),
      ),
    );
    world.wire.changed();
    await world.sync();
    this.steps += 1;
  }

  /** A new process of the city; its sockets are cut. */
  async #deploy(upgraded: () => void = () => undefined): Promise<void> {
    this.world.die();
    upgraded();
    this.#useSimpleKey();
    this.site.reconnect();
    await this.world.ring();
    this.steps += 1;
  }

  #useSimpleKey(): void {
    Object.assign(this.world.context, { planKey: () => Promise.resolve(SIMPLE_KEY) });
  }

  /** The lights of the row that the `n`th stands in. */
  #row(n: number): string[] {
    const first = n - (n % LIGHTS_A_ROW);
    return this.devices.slice(first, first + LIGHTS_A_ROW);
  }

  #device(): string {
    return this.devices[this.chance.int(0, this.devices.length - 1)] ?? "";
  }

  async #to(at: number): Promise<void> {
    this.steps += 1;
    await this.world.to(at);
    this.site.to(at);
  }
}
