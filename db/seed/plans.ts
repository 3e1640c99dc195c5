import type { schedules } from "#db/schema";
import { comingWindows, NOTHING_COMES } from "#domain/schedule/coming-windows";
import { lastEnd } from "#domain/schedule/recurrence";
import type { Weekday } from "#domain/enums";
import { toInstant, toWall } from "#domain/time/wall-clock";
import { lampId, orgOf } from "./places";
import { DAY_MS } from "#domain/time/units";

export const ZONE = "America/Los_Angeles";

type Plan = {
  place: string;
  light: string;
  title: string;
  says?: string;
  /** Days from today, or the next such weekday counted from there. */
  day: number | Weekday;
  from: string;
  to: string;
  rule?: string;
  /** A last day, counted from today. */
  until?: number;
  canceled?: true;
};

/** A plan of every kind: daily, weekly, once, canceled, done, endless, until a date, overlapping, over midnight. */
const PLANS: Plan[] = [
  ...daily("linden", ["Bandstand", "Fountain ring", "East gate", "West gate"], "Evening lights", "17:30", "21:30"),
  ...daily("linden", ["Rose garden"], "Autumn evenings", "17:45", "21:00", { rule: "FREQ=DAILY;COUNT=40" }),
  ...["Playground north", "Playground south"].map((light) => ({
    place: "linden",
    light,
    title: "After school",
    says: "Until the evenings are light again",
    day: -21,
    from: "16:30",
    to: "19:30",
    rule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    until: 60,
  })),
  { place: "linden", light: "Tennis court 1", title: "Club match", day: 0, from: "18:00", to: "20:00" },
  {
    place: "linden",
    light: "Tennis court 1",
    title: "Late doubles",
    says: "Overlaps the match",
    day: 0,
    from: "19:30",
    to: "21:30",
  },
  {
    place: "linden",
    light: "Tennis court 2",
    title: "Beginners",
    day: "WE",
    from: "18:00",
    to: "19:30",
    rule: "FREQ=WEEKLY;BYDAY=WE;COUNT=10",
  },
  {
    place: "linden",
    light: "Tennis court 2",
    title: "Exhibition game",
    day: 2,
    from: "19:00",
    to: "22:00",
    canceled: true,
  },

  ...daily("observatory", ["Switchback stairs", "Upper car park", "Lower car park"], "Visitors", "17:15", "21:15"),
  {
    place: "observatory",
    light: "Summit terrace",
    title: "Star party",
    says: "Ends after midnight; the curfew ends it sooner",
    day: "SA",
    from: "21:30",
    to: "00:30",
    rule: "FREQ=WEEKLY;BYDAY=SA",
  },
  { place: "observatory", light: "Picnic lawn", title: "Meteor night", day: 6, from: "22:00", to: "01:00" },

  ...["Pitch A north mast", "Pitch A south mast"].flatMap((light) => [
    {
      place: "alder",
      light,
      title: "Youth football",
      day: -21,
      from: "17:00",
      to: "19:00",
      rule: "FREQ=WEEKLY;BYDAY=MO,TU,TH;COUNT=60",
    },
    {
      place: "alder",
      light,
      title: "Senior training",
      says: "Shares the pitch from 18:30",
      day: -21,
      from: "18:30",
      to: "21:00",
      rule: "FREQ=WEEKLY;BYDAY=TU,TH,SA",
    },
  ]),
  ...["Pitch B north mast", "Pitch B south mast"].map((light) => ({
    place: "alder",
    light,
    title: "Rugby",
    day: -14,
    from: "18:00",
    to: "20:30",
    rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,FR",
  })),
  {
    place: "alder",
    light: "Pitch B north mast",
    title: "Friendly game",
    day: 1,
    from: "15:00",
    to: "17:00",
    canceled: true,
  },
  ...daily("alder", ["Running track"], "Runners", "17:00", "20:45"),
  ...daily("alder", ["Clubhouse", "Alder car park"], "Club evenings", "16:45", "20:40"),

  ...["Diamond 1 infield", "Diamond 1 outfield"].flatMap((light): Plan[] => [
    {
      place: "eastbank",
      light,
      title: "Little League practice",
      day: -10,
      from: "16:30",
      to: "19:00",
      rule: "FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=30",
    },
    { place: "eastbank", light, title: "Autumn cup final", day: -3, from: "18:00", to: "21:30" },
  ]),
  {
    place: "eastbank",
    light: "Diamond 2 infield",
    title: "Sunday league",
    says: "The season is over",
    day: -35,
    from: "17:00",
    to: "20:00",
    rule: "FREQ=WEEKLY;BYDAY=SU;COUNT=4",
  },
  ...daily("eastbank", ["Batting cage"], "Open cage", "16:00", "19:45"),

  ...daily("miller", ["Weir steps", "Footbridge", "Willow bend", "North landing"], "River walk", "17:20", "21:10"),
  {
    place: "miller",
    light: "Boathouse",
    title: "Rowing club",
    day: -28,
    from: "06:00",
    to: "08:30",
    rule: "FREQ=WEEKLY;BYDAY=TU,TH,SA",
  },
  {
    place: "miller",
    light: "Fishing deck",
    title: "Night fishing",
    says: "Over midnight",
    day: "FR",
    from: "21:00",
    to: "02:00",
    rule: "FREQ=WEEKLY;BYDAY=FR;COUNT=12",
  },

  // Five bookings end to end keep a light on at any hour without reaching max on. The second light never answers, so at
  // any hour one light is not as it should be.
  ...["Underpass", "Bike counter"].flatMap((light) => [
    ...daily("viaduct", [light], `${light}, early`, "05:30", "09:00"),
    ...daily("viaduct", [light], `${light}, morning`, "09:00", "12:30"),
    ...daily("viaduct", [light], `${light}, afternoon`, "12:30", "16:00"),
    ...daily("viaduct", [light], `${light}, evening`, "16:00", "19:30"),
    ...daily("viaduct", [light], `${light}, late`, "19:30", "23:00"),
  ]),
  ...daily("viaduct", ["Viaduct east", "Viaduct west"], "Commuters", "16:30", "20:00", {
    rule: "FREQ=DAILY;COUNT=100",
  }),
  ...daily("orchard", ["Orchard lower", "Orchard middle"], "Orchard evenings", "17:00", "20:30"),

  ...daily("plaza", ["Market stalls", "Plaza trees"], "Winter market", "15:00", "18:55", { until: 30 }),
  ...daily("plaza", ["Council steps", "Tram stop"], "Last trams", "18:30", "22:15"),
  { place: "plaza", light: "Clock tower", title: "City birthday", day: 12, from: "18:00", to: "22:00" },
  {
    place: "plaza",
    light: "Clock tower",
    title: "Lantern parade",
    says: "Moved to the river",
    day: -20,
    from: "18:00",
    to: "21:00",
    rule: "FREQ=DAILY;COUNT=30",
    canceled: true,
  },

  ...daily("pier", ["Ferry ramp", "Ticket hall", "Waiting shelter"], "Ferry evenings", "17:40", "21:35"),
  { place: "pier", light: "Crane apron", title: "Unloading", day: 0, from: "19:00", to: "22:30" },
  {
    place: "pier",
    light: "Pier head",
    title: "Anglers",
    says: "Over midnight",
    day: "SA",
    from: "20:00",
    to: "01:00",
    rule: "FREQ=WEEKLY;BYDAY=FR,SA",
  },
  ...daily("quay", ["Quay 1", "Quay 2", "Quay 3"], "First boats", "05:15", "08:00"),
  { place: "quay", light: "Slipway", title: "Boat lift", day: -2, from: "16:00", to: "19:00" },
  ...daily("lighthouse", ["Lighthouse lawn"], "Green evenings", "17:30", "20:30", { until: 45 }),
];

export type PlanRow = typeof schedules.$inferInsert;

/** The schedules around the day of `now` (epoch ms), in the city's wall-clock time. */
export function scheduleRows(now: number, created_at: string): PlanRow[] {
  const today = Math.floor(toWall(ZONE, now) / DAY_MS) * DAY_MS;
  return PLANS.map((plan) => {
    const day = dayOf(plan.day, today);
    const end = clock(plan.to) > clock(plan.from) ? day : day + DAY_MS;
    const recurring = {
      start_at: instant(day + clock(plan.from)),
      end_at: instant(end + clock(plan.to)),
      rrule: ruleOf(plan, today),
      timezone: ZONE,
    };
    const last_end = lastEnd(recurring);
    return {
      ...recurring,
      id: `demo-plan-${lampId(plan.place, plan.light).slice("demo-light-".length)}-${plan.from.replace(":", "")}-${slug(plan.title)}`,
      org_id: orgOf(plan.place),
      device_id: lampId(plan.place, plan.light),
      title: plan.title,
      description_short: plan.says ?? null,
      status: plan.canceled ? ("canceled" as const) : ("scheduled" as const),
      last_end_at: last_end === null ? null : new Date(last_end).toISOString(),
      ...(plan.canceled ? NOTHING_COMES : comingWindows(recurring, now)),
      created_at,
      updated_at: created_at,
    };
  });
}

function daily(
  place: string,
  lights: string[],
  title: string,
  from: string,
  to: string,
  more: Partial<Plan> = {},
): Plan[] {
  return lights.map((light) => ({ place, light, title, day: -30, from, to, rule: "FREQ=DAILY", ...more }));
}

function dayOf(day: number | Weekday, today: number): number {
  if (typeof day === "number") return today + day * DAY_MS;
  const wanted = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].indexOf(day);
  const ahead = (wanted - new Date(today).getUTCDay() + 7) % 7;
  return today + (ahead - 14) * DAY_MS;
}

function ruleOf({ rule, until }: Plan, today: number): string | null {
  if (until === undefined) return rule ?? null;
  const last = instant(today + (until + 1) * DAY_MS - 1000);
  return `${rule ?? "FREQ=DAILY"};UNTIL=${last.slice(0, 19).replace(/[-:]/g, "")}Z`;
}

function clock(time: string): number {
  return Date.parse(`1970-01-01T${time}:00.000Z`);
}

function instant(wall: number): string {
  return new Date(toInstant(ZONE, wall)).toISOString();
}

function slug(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
