import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { withDatabase } from "../../worker/local/database.mjs";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight, type Staff } from "#tests/support/staff";

let server: Server;
let staff: Staff;

beforeAll(async () => {
  server = await aServer();
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
});
afterAll(() => server?.stop());

test("kill -9 while a light is on: what ended meanwhile goes off, what began goes on, nothing twice", async () => {
  const [ends, begins] = await aPlace(staff, "Crash Park", ["Ends while down", "Begins while down"]);
  if (!ends || !begins) throw new Error("two lights were asked for");
  const t0 = Date.now();
  const at = (sec: number) => new Date(t0 + sec * 1000).toISOString();
  await book(ends.id, at(2), at(20));
  await book(begins.id, at(17), at(55));
  await vi.waitFor(async () => expect(await told(ends.id)).toEqual({ state: "on", events: ["on ok 1"] }), patience(15));

  await server.kill();
  await until(t0 + 24_000);
  await server.restart();
  await sleep(8_000); // nobody asks for anything meanwhile

  expect(await told(ends.id)).toEqual({ state: "off", events: ["on ok 1", "off ok 1"] });
  expect(await told(begins.id)).toEqual({ state: "on", events: ["on ok 1"] });

  await until(t0 + 60_000);
  expect(await told(begins.id)).toEqual({ state: "off", events: ["on ok 1", "off ok 1"] });
  expect(await told(ends.id)).toEqual({ state: "off", events: ["on ok 1", "off ok 1"] });
});

async function book(device_id: string, start_at: string, end_at: string) {
  const { data: devices } = await staff.call("GET", "/devices");
  const { area_id } = devices.find((device: { id: string }) => device.id === device_id);
  await staff.call("POST", "/schedules", { title: "Practice", area_id, device_id, start_at, end_at, rrule: null });
}

/** Read from the database's file, so that looking is no request that could wake anything. */
function told(device_id: string): Promise<{ state: unknown; events: string[] }> {
  return withDatabase(server.state_dir, async (d1) => {
    const device = await d1.prepare("SELECT current_state FROM devices WHERE id = ?").bind(device_id).first();
    const events = await d1
      .prepare("SELECT action, result, attempts FROM scheduler_events WHERE device_id = ? ORDER BY ts, id")
      .bind(device_id)
      .all<{ action: string; result: string; attempts: number }>();
    return {
      state: device?.current_state,
      events: events.results.map(({ action, result, attempts }) => `${action} ${result} ${attempts}`),
    };
  });
}

async function until(at: number) {
  await sleep(Math.max(0, at - Date.now()));
}

function patience(sec: number) {
  return { timeout: sec * 1000, interval: 1000 };
}
