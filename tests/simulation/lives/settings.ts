import { TIMEZONES } from "#domain/enums";
import { setting } from "#tests/support/light";
import { SECOND, ZONE, type Town } from "./town";

export async function newGuardrails(town: Town): Promise<void> {
  const { chance, world } = town;
  const rules = {
    HARD_CURFEW_OFF: chance.pick(["23:45", "22:30", "02:30", ""]),
    BLACKOUT_WINDOW: chance.pick(["00:00-05:00", "01:30-02:45", "20:30-22:00", ""]),
    MAX_ON_DURATION_MIN: chance.pick([30, 120, 240, 600]),
    zone: chance.is(0.1) ? chance.pick(TIMEZONES) : ZONE,
  };
  const { city } = town;
  const isOther = (key: keyof typeof rules) => rules[key] !== city.rules[key];
  const changed_at = (key: keyof typeof rules) => (isOther(key) ? world.now : city.changed_at[key]);
  // As the product does it: the row of a setting that stays as it is keeps its age.
  const row = (key: keyof typeof rules, name: string = key) =>
    isOther(key) ? [setting(world.org_id, name, rules[key], town.iso())] : [];
  const changed = [
    ...row("HARD_CURFEW_OFF"),
    ...row("BLACKOUT_WINDOW"),
    ...row("MAX_ON_DURATION_MIN"),
    ...row("zone", "APP_TIMEZONE"),
  ];
  if (changed.length === 0) return;
  await town.change(changed, {
    rules,
    changed_at: {
      HARD_CURFEW_OFF: changed_at("HARD_CURFEW_OFF"),
      BLACKOUT_WINDOW: changed_at("BLACKOUT_WINDOW"),
      MAX_ON_DURATION_MIN: changed_at("MAX_ON_DURATION_MIN"),
      zone: changed_at("zone"),
    },
  });
}

/** Mostly the watchdog sleeps and hubs are asked once a day: what holds without them has to hold by itself. */
export async function newMonitoring(town: Town, isQuiet = false): Promise<void> {
  const { chance, world } = town;
  const watchdog = !isQuiet && chance.is(0.7);
  const watchdog_sec = isQuiet ? 900 : chance.pick([60, 900, 3_600]);
  const hub_check_sec = isQuiet ? 86_400 : chance.pick([180, 3_600]);
  await town.change(
    [
      setting(world.org_id, "WATCHDOG_ENABLED", watchdog),
      setting(world.org_id, "WATCHDOG_INTERVAL_SEC", watchdog_sec),
      setting(world.org_id, "HUB_CHECK_INTERVAL_SEC", hub_check_sec),
    ],
    { watchdog, watchdog_sec, hub_check_sec },
  );
  if (isQuiet) return;
  town.quiet_at = world.now + chance.int(4, 12) * Math.min(watchdog_sec, hub_check_sec) * SECOND;
}
