import { setTimeout as sleep } from "node:timers/promises";
import { expect, vi } from "vitest";
import type { ServerProcess } from "#tests/support/server";
import { aPlace, type Staff } from "#tests/support/staff";
import { Chance } from "#tests/simulation/world/prng";
import { disagreements, figures, objections, type Booked, type Call, type Line } from "./accounts";

type Light = { id: string; name: string };
type Told = {
  objections: string[];
  figures: Record<string, number>;
  /** What the lamps say at the end: the one that is booked all the while, and all others. */
  standing: string;
  others: string[];
};

const PATIENCE = { timeout: 120_000, interval: 500 };

/**
 * A park whose lights are booked for seconds, one window after the other, while the server is killed (SIGKILL, the whole
 * process group) at moments of the seed's choosing and started again on the same state. One light is booked all the
 * while. The last kill comes when everything is over, and may change nothing; it is of `npm start` alone, which ends the
 * runtime with it, so that the next start has the state to itself.
 */
export async function crashes(
  server: ServerProcess,
  staff: Staff,
  { seed, kills, lights }: { seed: number; kills: number; lights: number },
): Promise<Told> {
  const chance = new Chance(seed);
  const since = new Date().toISOString();
  const names = Array.from({ length: lights }, (_, i) => `Light ${i + 1}`);
  const { area_id, devices } = await aPark(staff, `Crash Park ${seed}`, ["Standing", ...names]);
  const [standing, ...others] = devices;
  if (!standing) throw new Error("a standing light was asked for");
  const own = new Set(devices.map(({ id }) => id));
  const told = async (): Promise<Line[]> => {
    const { events } = await staff.call("GET", `/scheduler/events?since=${since}&limit=1000`);
    return events.toReversed().filter((line: Line) => own.has(line.device_id ?? ""));
  };
  const book = ({ device_id, title, start_at, end_at }: Booked) =>
    staff.call("POST", "/schedules", { device_id, title, start_at, end_at, area_id, rrule: null });

  const booked: Booked[] = [];
  let n = 0;
  await book({ ...aWindow(chance, standing, "All the while"), end_at: toSecond(Date.now() + 10 * 3_600_000) });
  for (let kill = 1; kill < kills; kill += 1) {
    const open = new Set(unfinished(booked, await told()).map((window) => window.device_id));
    const plan = others.filter(({ id }) => !open.has(id)).map((light) => aWindow(chance, light, `W${(n += 1)}`));
    // The last one's answer is not always waited for: the server may die while it saves.
    const unsure = chance.is(0.3) ? plan.pop() : undefined;
    await Promise.all(plan.map(book));
    booked.push(...plan);
    if (unsure) void book(unsure).catch(() => undefined);
    await sleep(unsure ? chance.int(0, 300) : momentOf(chance, booked));
    await server.kill();
    await sleep(chance.int(0, 3_000));
    await startAgain(server);
    if (unsure && (await isSaved(staff, unsure))) booked.push(unsure);
  }

  await vi.waitFor(async () => {
    const lines = await told();
    const left = unfinished(booked, lines);
    if (left.length > 0) throw new Error(`not over:\n${objections(left, lines).join("\n")}`);
    // It began as the others did; each kill may have cost it an attempt.
    const isLit = lines.some(({ device_id, result }) => device_id === standing.id && result === "ok");
    if (!isLit) throw new Error("not over: the standing light is not on yet");
  }, PATIENCE);
  const before = await told();
  await server.killAlone();
  await vi.waitFor(() => expect(isGone(server)).resolves.toBe(true), { timeout: 15_000 });
  await server.restart();
  const states = await Promise.all(devices.map(({ id }) => stateOf(staff, id)));
  const lines = await told();
  const { data: history } = await staff.call("GET", `/history/events?area_id=${area_id}&limit=1000`);
  const calls = history.filter((call: Call) => call.action === "on" || call.action === "off");
  const more = lines.slice(before.length).map((line) => `logged after the end: ${JSON.stringify(line)}`);
  const events = lines.filter((line) => line.device_id === standing.id).map((line) => `${line.action} ${line.result}`);
  return {
    objections: [...objections(booked, lines), ...disagreements(booked, lines, calls), ...more],
    figures: figures(booked, lines, calls),
    standing: `${states[0]}, logged: ${events.filter((event) => !event.endsWith("retry"))}`,
    others: [...new Set(states.slice(1))],
  };
}

async function aPark(staff: Staff, name: string, lights: string[]): Promise<{ area_id: string; devices: Light[] }> {
  const devices = await aPlace(staff, name, lights);
  const { data: areas } = await staff.call("GET", "/areas");
  return { area_id: areas.find((area: { name: string }) => area.name === name).id, devices };
}

function aWindow(chance: Chance, { id, name }: Light, title: string): Booked {
  const start = Date.now() + chance.int(1_000, 5_000);
  const end = start + chance.int(2_000, 25_000);
  return { device_id: id, device_name: name, title, start_at: toSecond(start), end_at: toSecond(end) };
}

function toSecond(at: number): string {
  return new Date(Math.round(at / 1000) * 1000).toISOString();
}

async function isSaved(staff: Staff, { device_id, title }: Booked): Promise<boolean> {
  const { data: schedules } = await staff.call("GET", "/schedules");
  return schedules.some((s: { device_id: string; title: string }) => s.device_id === device_id && s.title === title);
}

/** The windows of which something is still to be told. */
function unfinished(booked: Booked[], lines: Line[]): Booked[] {
  const now = Date.now();
  return booked.filter((window) => now < Date.parse(window.end_at) + 1_000 || objections([window], lines).length > 0);
}

/** In how many ms to kill: mostly within a second and a half of a switch, or just after the start, or anywhere. */
function momentOf(chance: Chance, booked: Booked[]): number {
  const now = Date.now();
  const kind = chance.next();
  const anywhere = chance.int(0, 6_000);
  const after = chance.int(-100, 1_500);
  const near = booked
    .flatMap((window) => [Date.parse(window.start_at), Date.parse(window.end_at)])
    .filter((at) => at > now && at < now + 8_000);
  const aim = near[chance.int(0, Math.max(0, near.length - 1))];
  if (kind < 0.15) return chance.int(0, 500);
  return aim === undefined || kind < 0.3 ? anywhere : Math.max(0, aim - now + after);
}

async function isGone({ url }: ServerProcess): Promise<boolean> {
  return fetch(`${url}/api/alive`).then(
    () => false,
    () => true,
  );
}

/** A start that a busy machine does not carry in time is killed too: one crash more. */
function startAgain(server: ServerProcess): Promise<void> {
  return server.restart().catch(() => server.restart());
}

/** What the lamp itself says. */
async function stateOf(staff: Staff, device_id: string): Promise<string> {
  const { result } = await staff.call("POST", "/admin/connectivity/status", { device_id });
  return result.state;
}
