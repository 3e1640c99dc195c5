import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { Staff } from "#tests/support/staff";

/** Throws unless the job is done, by what the API says of it and, for a question, by what the screen answers. */
export type Proof = (staff: Staff, page: Page) => Promise<void>;

type Booking = { lights: number; date?: string; rule: null | { days: string[]; last_day: string } };

/** The last click is answered, and a lamp's command verified, by then. */
const PATIENCE_MS = 20_000;
const ZONE = "America/Los_Angeles";

export const proofs = {
  /** From 6 to 8 PM, for so many lights, on a day or by a rule. */
  booked:
    (title: string, { lights, date, rule }: Booking): Proof =>
    async (staff) => {
      const schedule = await found(staff, title);
      same("start", wall(schedule.start_at), `${date ?? wall(schedule.start_at).slice(0, 10)} 18:00`);
      same("hours", (Date.parse(schedule.end_at) - Date.parse(schedule.start_at)) / 3_600_000, 2);
      same("lights", await lightsOf(staff, schedule), lights);
      if (rule === null) return same("rule", schedule.rrule, null);
      const parts = new URLSearchParams(schedule.rrule.replaceAll(";", "&"));
      same("days", parts.get("BYDAY"), rule.days.join());
      same("last day", wall(asIso(parts.get("UNTIL") ?? "")).slice(0, 10), rule.last_day);
    },

  skipped:
    (title: string, date: string): Proof =>
    async (staff) => {
      await eventually(async () => same("skipped", ((await found(staff, title)).exdates ?? []).join(), date));
    },

  isOff:
    (area: string, count: number): Proof =>
    async (staff) => {
      const states = async () => (await lightsIn(staff, area)).map(({ current_state }) => current_state);
      await eventually(async () => same("lights off", (await states()).filter((s) => s === "off").length, count));
    },

  /** The screen tells the reason and the person of what the log says switched the light on. */
  toldWhy:
    ({ id, why }: { id: string; why: string }): Proof =>
    async (staff, page) => {
      const { events } = await staff.call("GET", `/scheduler/events?device_id=${id}&limit=100`);
      const note = events.find((event: Json) => event.action === "on" && event.note.includes(why))?.note;
      if (!note) throw new Error("The log has no such event");
      await page.getByText(note).filter({ visible: true }).first().waitFor();
      if (!note.includes("manager")) throw new Error(`'${note}' does not say who did it`);
    },

  /** The screen names what the API says is broken. */
  broken:
    (what: "lights" | "hubs" | "all"): Proof =>
    async (staff, page) => {
      const names = await brokenNames(staff, what);
      if (names.length === 0) throw new Error("Nothing is broken, so nothing is shown");
      const list = what === "all" ? page.getByRole("region", { name: "Needs attention" }) : page.getByRole("main");
      for (const name of names) await list.getByText(name).filter({ visible: true }).first().waitFor();
    },
};

async function brokenNames(staff: Staff, what: "lights" | "hubs" | "all"): Promise<string[]> {
  const [devices, hubs, health] = await Promise.all(
    ["/devices", "/hubs", "/health/hubs"].map((path) => staff.call("GET", path)),
  );
  const offline = health.data.filter(({ status }: Json) => status === "offline").map(({ hub_id }: Json) => hub_id);
  const lights = devices.data.filter(({ problem }: Json) => problem !== null);
  const away = hubs.data.filter(({ id }: Json) => offline.includes(id));
  // A light that only waits for its hub is told of the hub.
  const own = lights.filter(({ hub_id }: Json) => !offline.includes(hub_id));
  return (what === "lights" ? lights : what === "hubs" ? away : [...own, ...away]).map(({ name }: Json) => name);
}

async function found(staff: Staff, title: string): Promise<Json> {
  return eventually(async () => {
    const { data } = await staff.call("GET", "/schedules");
    const schedule = data.find((each: Json) => each.title === title);
    if (!schedule) throw new Error(`There is no schedule '${title}'`);
    return schedule;
  });
}

async function lightsOf(staff: Staff, { target, area_name }: Json): Promise<number> {
  if (target.type === "area") return (await lightsIn(staff, area_name)).length;
  // Lights that were ticked one by one are a group without a name, which is told as its first light and the others.
  return target.type === "device" ? 1 : 1 + Number(/ and (\d+) more$/.exec(target.name)?.[1]);
}

async function lightsIn(staff: Staff, area: string): Promise<Json[]> {
  const { data } = await staff.call("GET", "/devices");
  return data.filter(({ area_name }: Json) => area_name === area);
}

/** '2026-11-27 18:00' of an instant, in the city's zone. */
function wall(at: string): string {
  return new Date(at).toLocaleString("sv-SE", { timeZone: ZONE }).slice(0, 16);
}

function asIso(until: string): string {
  return until.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(250);
    }
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read the answers freely
type Json = any;
