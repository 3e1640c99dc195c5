import { sql } from "#tests/support/light";
import { TIMEZONES } from "#domain/enums";
import { DAY, instantOf, wallOf, type Plan } from "#tests/simulation/oracle/calendar";
import type { CityPlan } from "#tests/simulation/oracle/city";
import { HOUR, MINUTE, SECOND, type Town } from "./town";

export async function addSchedule(town: Town): Promise<void> {
  const { chance, world } = town;
  const open = town.openPlans();
  if (open.length > town.lights * 0.9) return cancelSchedule(town);
  const id = town.name("s");
  const timezone = chance.is(0.9) ? town.city.rules.zone : chance.pick(TIMEZONES);
  const day = Math.floor(wallOf(timezone, world.now) / DAY) * DAY + chance.int(0, 2) * DAY;
  const start = instantOf(timezone, day + chance.int(0, 95) * 15 * MINUTE, "first");
  const end = start + chance.pick([5 * SECOND, 20 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 5 * HOUR, 10 * HOUR, DAY]);
  if (end <= world.now) return;
  const until = new Date(start + chance.int(1, 60) * DAY).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const plan: Plan & Pick<CityPlan, "group_id"> = {
    id,
    ...anyTarget(town),
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
    `INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone, created_at, updated_at,
       group_id, area_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11)`,
    id,
    world.org_id,
    plan.device_id,
    plan.title,
    plan.start_at,
    plan.end_at,
    plan.rrule,
    timezone,
    town.iso(),
    plan.group_id,
    plan.device_id === null && plan.group_id === null ? town.area : null,
  );
  const plans = new Map(town.city.plans).set(id, { ...plan, made_at: world.now, changed_at: world.now });
  // What has long ended is no plan any more.
  for (const [old, { status }] of plans) if (status === "canceled") plans.delete(old);
  await town.change([statement], { plans });
}

/** Mostly one light, else a group or all of them. */
function anyTarget(town: Town): Pick<CityPlan, "device_id" | "group_id"> {
  const what = town.chance.int(0, 99);
  const group_id = town.anyGroup();
  if (what < 20 && group_id !== undefined) return { device_id: null, group_id };
  return { device_id: what < 24 ? null : town.anyDevice(), group_id: null };
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
  const { chance } = town;
  const moved = chance.is(0.3) ? chance.int(-8, 8) * 15 * MINUTE : 0;
  const start = Date.parse(plan.start_at) + moved;
  const end = Math.max(start + MINUTE, Date.parse(plan.end_at) + moved + chance.int(-4, 4) * 15 * MINUTE);
  const next = {
    ...plan,
    start_at: new Date(start).toISOString(),
    end_at: new Date(Math.min(end, start + DAY)).toISOString(),
    device_id: plan.device_id !== null && chance.is(0.2) ? town.anyDevice() : plan.device_id,
  };
  const isOther = next.start_at !== plan.start_at || next.end_at !== plan.end_at || next.device_id !== plan.device_id;
  if (isOther) next.changed_at = town.world.now;
  const statement = sql(
    "UPDATE schedules SET start_at = ?, end_at = ?, device_id = ?, updated_at = ? WHERE id = ?",
    next.start_at,
    next.end_at,
    next.device_id,
    town.iso(),
    plan.id,
  );
  await town.change([statement], { plans: new Map(town.city.plans).set(plan.id, next) });
}
