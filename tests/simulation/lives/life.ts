import type { World } from "#tests/support/engine";
import { setting, sql } from "#tests/support/light";
import { DAY } from "#tests/simulation/oracle/wall-clock";
import { checkShown } from "#tests/simulation/oracle/shown";
import type { Lamps } from "#tests/simulation/world/lamps";
import { Chance } from "#tests/simulation/world/prng";
import { mendAccess } from "./access";
import { changeWhileAway } from "./away";
import { Backups } from "./backups";
import { contend, replaceHub } from "./contention";
import { edit } from "./edits";
import { rightClock, setHoursAhead } from "./faults";
import { regroup } from "./groups";
import { happen } from "./happenings";
import { newCalendar } from "./nights";
import { cityAt, openArea } from "./places";
import { addSchedule } from "./plans";
import { serve } from "./service";
import { newMonitoring } from "./settings";
import { swap } from "./swaps";
import { HOUR, LIGHTS_A_HUB, MINUTE, SECOND, Town } from "./town";

/**
 * One organization's life, by a seed: schedules of every kind, people, edits, broken lamps and hubs, an engine that dies
 * between any two steps, alarms that are late, doubled or lost, a database that goes away. The oracle watches the lamps.
 */
export class Life {
  readonly town: Town;
  readonly #backups: Backups;
  /** Says only whether what is rare happens: a life is as it was up to the first of these. */
  readonly #rare: Chance;
  /** The same of what is rarer still. */
  readonly #rarer: Chance;

  constructor(world: World, lamps: Lamps, seed: number, lights: number) {
    this.town = new Town(world, lamps, seed, lights);
    this.#backups = new Backups(this.town);
    this.#rare = new Chance(seed + 1_000_000);
    this.#rarer = new Chance(seed + 2_000_000);
  }

  async begin(): Promise<void> {
    const { town } = this;
    const org = town.world.org_id;
    const hubs = Array.from({ length: Math.ceil(town.lights / LIGHTS_A_HUB) }, () => town.name("h"));
    const devices = Array.from({ length: town.lights }, () => town.name("d"));
    const [north, south] = town.departments();
    const areas = town.areas();
    const made = new Map(
      devices.map((id, i) => {
        // One in ten lights has no hub.
        const hub = i % 10 === 9 ? null : (hubs[i % hubs.length] ?? null);
        const place = { area: areas[i % 3 === 2 ? 1 : 0] ?? "", area_since: 0 };
        const dept = [north, south, null][i % 3] ?? null;
        return [id, { lamp: town.newLamp(), hub, dept, ...place, restrike_min: i % 3 === 1 ? 15 : 0, changed_at: 0 }];
      }),
    );
    const { rules, watchdog, watchdog_sec, hub_check_sec } = town.city;
    await town.change(
      [
        sql("INSERT INTO organizations (id, name) VALUES (?, ?)", org, org),
        ...[north, south].map((id) => sql("INSERT INTO departments (id, org_id, name) VALUES (?, ?, ?)", id, org, id)),
        ...[...town.city.areas].map(([id, { type, stagger_sec }]) =>
          sql(
            `INSERT INTO areas (id, org_id, name, type, stagger_sec, updated_at)
             VALUES (?1, ?2, ?3, ?3, ?4, '2026-01-01')`,
            id,
            org,
            type,
            stagger_sec,
          ),
        ),
        ...hubs.map((id) => town.insertHub(id)),
        ...[...made].map(([id, at]) => town.insertDevice(id, at)),
        setting(org, "PROVIDER_MODE", town.lamps.mode),
        setting(org, "YOLINK_UAC_KEY", "uac.ua_0123456789ABCDEF:sec_v1_simulated+secret/42=="),
        setting(org, "APP_TIMEZONE", rules.zone),
        setting(org, "WATCHDOG_ENABLED", watchdog),
        setting(org, "WATCHDOG_INTERVAL_SEC", watchdog_sec),
        setting(org, "HUB_CHECK_INTERVAL_SEC", hub_check_sec),
        ...cityAt(town, town.city.positions),
      ],
      { hubs: new Set(hubs), devices: made },
      true,
    );
    for (let i = 0; i < 3; i += 1) await regroup(town);
    await newCalendar(town);
    for (let i = Math.ceil(town.lights * 1.2); i > 0; i -= 1) await addSchedule(town);
  }

  /** Lives until `days` have gone by; throws at the first thing the oracle objects to. */
  async live(days: number): Promise<void> {
    const { town } = this;
    const { world, chance } = town;
    const end = world.now + days * DAY;
    const often = (30 * HOUR) / Math.max(20, town.lights);
    while (world.now < end) {
      const gap = Math.ceil(-Math.log(1 - chance.next()) * often);
      await town.passWatching(Math.max(0, Math.min(gap, town.quiet_at - world.now)));
      await this.#happen();
      // What is wrong for longer than a moment is seen now.
      await town.pass(chance.int(1, 3 * SECOND));
    }
    await this.#quiet();
  }

  async #happen(): Promise<void> {
    const { town } = this;
    const { world } = town;
    if (world.now >= town.quiet_at) {
      town.quiet_at = town.isSaving ? Infinity : world.now + 10 * MINUTE;
      if (town.isSaving) return newMonitoring(town, true);
    }
    if (town.opensAgain && town.isSaving) {
      town.opensAgain = false;
      for (const id of town.areas()) await openArea(town, id, true);
      return;
    }
    if (town.isServedAgain && town.isSaving) {
      town.isServedAgain = false;
      return serve(town, true);
    }
    if (world.now >= town.clockIsRightAt) return rightClock(town);
    if (this.#rare.is(0.02)) return changeWhileAway(town);
    if (this.#rare.is(0.04)) return town.chance.is(0.5) ? swap(town) : edit(town);
    if (this.#rare.is(0.005) && town.lamps.mode === "mock") return setHoursAhead(town);
    if (this.#rarer.is(0.01)) return town.chance.is(0.6) ? contend(town) : replaceHub(town);
    return happen(town, this.#backups);
  }

  /** Everything is healed and the clock moves on, so that what is owed can be paid and told. */
  async #quiet(): Promise<void> {
    const { town } = this;
    const { world, lamps, oracle } = town;
    await rightClock(town);
    oracle.heal(() => {
      world.wire.state = { kind: "up" };
      for (const of of lamps.troubles.keys()) lamps.setFaults(of, []);
      lamps.troubles.clear();
    }, "all is well");
    await world.to(Math.max(world.now, world.down_until));
    await mendAccess(town);
    await world.ring();
    for (let i = 0; i < 6; i += 1) await town.pass(HOUR / 2);
    await world.wire.drain();
    const row = await sql("SELECT COUNT(*) AS told FROM scheduler_events WHERE org_id = ?", world.org_id).first<{
      told: number;
    }>();
    if (row?.told !== oracle.ledger.told.count)
      oracle.desk.object(null, `${oracle.ledger.told.count} events were posted, and D1 has ${row?.told}`);
    const { results } = await sql("SELECT id, hold FROM devices WHERE org_id = ?", world.org_id).all<{
      id: string;
      hold: string | null;
    }>();
    for (const { id, hold } of results) checkShown(oracle.desk, id, hold === null ? null : JSON.parse(hold));
  }
}
