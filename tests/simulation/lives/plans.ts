import { sql } from "#tests/support/light";
import { TIMEZONES } from "#domain/enums";
import { windowsOf, type Plan } from "#tests/simulation/oracle/calendar";
import type { CityPlan, CityTarget } from "#tests/simulation/oracle/city";
import { placedPlan } from "#tests/simulation/oracle/targets";
import { DAY } from "#tests/simulation/oracle/wall-clock";
import { byClock, nightOf, timesByClock, timesBySun, type Times } from "./times";
import { columnsOf, MINUTE, type Town } from "./town";

const OVER_AFTER = 30 * DAY;

export async function addSchedule(town: Town): Promise<void> {
  const { chance } = town;
  const open = town.openPlans();
  if (open.length > town.lights * 1.5) return cancelSchedule(town);
  const target = town.anyTarget();
  const timezone = chance.is(0.9) ? town.city.rules.zone : chance.pick(TIMEZONES);
  await book(town, target, anyTimes(town, target, timezone), timezone);
}

/** Books a target; nothing where that would be over. */
export async function book(town: Town, target: CityTarget, times: Times, timezone: string): Promise<void> {
  const { world } = town;
  if (Date.parse(times.end_at) <= world.now) return;
  const plan: CityPlan = {
    id: town.name("s"),
    target,
    title: "Practice",
    ...times,
    rrule: anyRule(town, times),
    timezone,
    status: "scheduled",
    skips: [],
    ...anyCalendar(town),
    made_at: world.now,
    changed_at: world.now,
  };
  const [device_id, group_id, area_id] = columnsOf(target);
  const statement = sql(
    `INSERT INTO schedules (id, org_id, device_id, group_id, area_id, title, start_at, end_at, start_sun, end_sun, rrule,
       timezone, calendar_id, calendar_rule, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15)`,
    plan.id,
    world.org_id,
    device_id,
    group_id,
    area_id,
    plan.title,
    plan.start_at,
    plan.end_at,
    sunText(plan.start_sun),
    sunText(plan.end_sun),
    plan.rrule,
    timezone,
    plan.calendar_id,
    plan.calendar_rule,
    town.iso(),
  );
  const plans = new Map(town.city.plans).set(plan.id, plan);
  for (const [old, one] of plans) if (one.status === "canceled" || isLongOver(town, one)) plans.delete(old);
  await town.change([statement], { plans });
}

/**
 * Over, whatever dates its calendar will have, for longer than anybody remembers its windows: no plan any more. One by the
 * sun whose place nobody knows has no windows, and may have some tomorrow.
 */
function isLongOver({ city, world }: Town, plan: CityPlan): boolean {
  const every = { ...placedPlan(city, plan), calendar_rule: null, skips: [] };
  const last = windowsOf(every).at(-1);
  return last !== undefined && last.end < world.now - OVER_AFTER;
}

/** By the sun in every third plan. */
export function anyTimes(town: Town, target: CityTarget, timezone: string): Times {
  const bySun = town.chance.is(0.35) ? timesBySun(town, timezone, town.positionsOf(target)) : null;
  return bySun ?? timesByClock(town, timezone);
}

function anyRule({ chance }: Town, { start_at, night }: Times): string | null {
  const until = new Date(Date.parse(start_at) + chance.int(1, 60) * DAY).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return chance.pick([
    null,
    null,
    "FREQ=DAILY;COUNT=10",
    "FREQ=DAILY;INTERVAL=3",
    // When a rule by the sun ends within a day is nobody's promise.
    night === null ? `FREQ=DAILY;INTERVAL=2;UNTIL=${until}` : "FREQ=DAILY;INTERVAL=2;COUNT=12",
    "FREQ=WEEKLY;BYDAY=MO,WE,SA;COUNT=20",
    "FREQ=WEEKLY;BYDAY=SU",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU",
  ]);
}

function anyCalendar({ chance, city }: Town): Pick<Plan, "calendar_id" | "calendar_rule"> {
  const ids = [...city.calendars.keys()];
  const id = chance.is(0.25) ? ids[chance.int(0, Math.max(0, ids.length - 1))] : undefined;
  return id === undefined
    ? { calendar_id: null, calendar_rule: null }
    : { calendar_id: id, calendar_rule: chance.pick(["skip", "skip", "only"]) };
}

function sunText(sun: Plan["start_sun"]): string | null {
  return sun && JSON.stringify(sun);
}

export async function cancelSchedule(town: Town): Promise<void> {
  const plan = town.anyPlan();
  if (!plan) return;
  const plans = new Map(town.city.plans);
  plans.set(plan.id, { ...plan, status: "canceled", changed_at: town.world.now });
  await town.change(
    [sql("UPDATE schedules SET status = 'canceled', updated_at = ? WHERE id = ?", town.iso(), plan.id)],
    { plans },
  );
}

export async function editSchedule(town: Town): Promise<void> {
  const plan = town.anyPlan();
  if (!plan) return;
  const { now } = town.world;
  const times = otherTimes(town, plan);
  if (!times) return;
  const isMoved = plan.target.kind === "device" && town.chance.is(0.2);
  const target: CityTarget = isMoved ? { kind: "device", id: town.anyDevice() } : plan.target;
  const isOtherTarget = target.id !== plan.target.id;
  const isOther = isOtherTarget || timesText(times) !== timesText(plan);
  const next: CityPlan = {
    ...plan,
    ...times,
    target,
    // For another light it is as if it were made now.
    made_at: isOtherTarget ? now : plan.made_at,
    changed_at: isOther ? now : plan.changed_at,
  };
  const statement = sql(
    `UPDATE schedules SET start_at = ?, end_at = ?, start_sun = ?, end_sun = ?, device_id = COALESCE(?, device_id),
       target_since = COALESCE(?, target_since), updated_at = ? WHERE id = ?`,
    next.start_at,
    next.end_at,
    sunText(next.start_sun),
    sunText(next.end_sun),
    target.kind === "device" ? target.id : null,
    isOtherTarget ? town.iso() : null,
    town.iso(),
    plan.id,
  );
  await town.change([statement], { plans: new Map(town.city.plans).set(plan.id, next) });
}

/** A plan is for something else than before that has the light: its group, all lights of its area, or itself alone. */
export async function retarget(town: Town, light: string): Promise<void> {
  const { chance, city, world } = town;
  const area = city.devices.get(light)?.area ?? "";
  const groups = [...city.groups].filter(([, { members }]) => members.has(light));
  const own = [light, area, ...groups.map(([id]) => id)];
  const [plan] = town
    .openPlans()
    .filter(({ target }) => own.includes(target.id))
    .toReversed();
  const target = chance.pick<CityTarget>([
    { kind: "device", id: light },
    { kind: "area", id: area },
    ...groups.map(([id]): CityTarget => ({ kind: "group", id })),
  ]);
  if (!plan || plan.target.id === target.id) return;
  const statement = sql(
    "UPDATE schedules SET device_id = ?, group_id = ?, area_id = ?, target_since = ?, updated_at = ? WHERE id = ?",
    ...columnsOf(target),
    town.iso(),
    town.iso(),
    plan.id,
  );
  const moved = { ...plan, target, made_at: world.now, changed_at: world.now };
  await town.change([statement], { plans: new Map(city.plans).set(plan.id, moved) });
}

/** Some quarters of an hour earlier or later; by the sun, another offset. */
function otherTimes(town: Town, plan: CityPlan): Times | null {
  const { chance } = town;
  if (plan.night) {
    const offset_min = chance.int(-6, 6) * 15;
    const { start_sun, end_sun } = plan;
    const changed = start_sun
      ? { start_sun: { ...start_sun, offset_min } }
      : { end_sun: end_sun && { ...end_sun, offset_min } };
    const { night, start_at, end_at } = plan;
    const { positions } = placedPlan(town.city, plan);
    return nightOf({ start_at, end_at, night, start_sun, end_sun, ...changed }, plan.timezone, positions);
  }
  const moved = chance.is(0.3) ? chance.int(-8, 8) * 15 * MINUTE : 0;
  const start = Date.parse(plan.start_at) + moved;
  const end = Math.max(start + MINUTE, Date.parse(plan.end_at) + moved + chance.int(-4, 4) * 15 * MINUTE);
  return byClock(start, Math.min(end, start + DAY));
}

function timesText({ start_at, end_at, start_sun, end_sun }: Times): string {
  return JSON.stringify([start_at, end_at, start_sun, end_sun]);
}
