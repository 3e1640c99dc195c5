import { sql } from "#tests/support/light";
import { firstAfter, windowsOf, type Window } from "#tests/simulation/oracle/calendar";
import type { CityPlan } from "#tests/simulation/oracle/city";
import { placedPlan } from "#tests/simulation/oracle/targets";
import { DAY, dateOf } from "#tests/simulation/oracle/wall-clock";
import type { Town } from "./town";

const MOST_CALENDARS = 2;

/** A night is skipped, or takes place after all: mostly the one that runs, or the next. */
export async function skipNight(town: Town): Promise<void> {
  const { chance, city, world } = town;
  const plan = town.anyPlan();
  if (!plan) return;
  const back = plan.skips[chance.int(0, Math.max(0, plan.skips.length - 1))];
  const windows = windowsOf(placedPlan(city, plan));
  const next = windows[Math.max(0, firstAfter(windows, world.now - DAY)) + chance.int(0, 2)];
  const isBack = back !== undefined && chance.is(0.5);
  if (!isBack && !next) return;
  const skips = isBack ? plan.skips.filter((date) => date !== back) : [...plan.skips, next?.date ?? ""];
  const stored = skips.map((date) => ({ date, reason: "rain", by: "staff" }));
  await town.change(
    [
      sql(
        "UPDATE schedules SET skips = ?, updated_at = ? WHERE id = ?",
        skips.length === 0 ? null : JSON.stringify(stored),
        town.iso(),
        plan.id,
      ),
    ],
    { plans: new Map(city.plans).set(plan.id, { ...plan, skips, changed_at: world.now }) },
  );
}

/** A calendar is made, or gets other dates: mostly it is other than before on the night that runs, or the next. */
export async function newCalendar(town: Town): Promise<void> {
  const { chance, city, world } = town;
  const known = [...city.calendars.keys()];
  const isNew = known.length < MOST_CALENDARS;
  const plan = isNew || chance.is(0.3) ? undefined : soonest(town);
  const id = isNew ? town.name("k") : (plan?.calendar_id ?? known[chance.int(0, known.length - 1)] ?? "");
  const dates = plan
    ? turned(city.calendars.get(id)?.dates, nextNight(town, plan))
    : new Set(Array.from({ length: 12 }, () => dateOf(world.now + chance.int(-2, 25) * DAY)));
  const stored = JSON.stringify([...dates].toSorted().map((date) => ({ date, name: "A day off" })));
  const statement = isNew
    ? sql(
        "INSERT INTO calendars (id, org_id, name, dates, updated_at) VALUES (?1, ?2, ?1, ?3, ?4)",
        id,
        world.org_id,
        stored,
        town.iso(),
      )
    : sql("UPDATE calendars SET dates = ?, updated_at = ? WHERE id = ?", stored, town.iso(), id);
  const calendars = new Map(city.calendars).set(id, { dates, changed_at: world.now });
  await town.change([statement], { calendars });
}

/** Of the plans that go by a calendar the one that runs, or would but for it; else the one that begins first. */
function soonest(town: Town): CityPlan | undefined {
  const some = town.openPlans().filter(({ calendar_id }) => calendar_id !== null);
  const startOf = (plan: CityPlan) => nightsLeft(town, plan)[0]?.start ?? Infinity;
  return some.toSorted((a, b) => startOf(a) - startOf(b))[0];
}

function nextNight(town: Town, plan: CityPlan): string {
  return nightsLeft(town, plan)[0]?.date ?? dateOf(town.world.now);
}

/** A plan's windows that are not over, whatever its calendar says. */
function nightsLeft({ city, world }: Town, plan: CityPlan): Window[] {
  const every = { ...placedPlan(city, plan), calendar_rule: null };
  return windowsOf(every).filter(({ end }) => end > world.now);
}

function turned(dates: ReadonlySet<string> = new Set(), date: string): Set<string> {
  const others = new Set(dates);
  if (!others.delete(date)) others.add(date);
  return others;
}
