import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { as } from "#tests/support/api";
import { seedCity } from "#tests/support/city";

const manager = as("manager");
/** The time as the database and the imports in it have it. */
const importer = as("manager", { now: () => new Date() });
const made = async (path: string, body: object): Promise<string> => (await manager.post(path, body)).json.data.id;
const areaOf = async (id: string) => (await manager.get(`/devices/${id}`)).json.data.device.area_name;
const SUN = { start_at: "2026-12-01T02:00:00Z", end_at: "2026-12-01T05:00:00Z", start_sun: { event: "sunset" } };

let [placed, nowhere, hub_id, device_id] = ["", "", "", ""];

beforeAll(async () => {
  await seedCity();
  // Another city's is not ours.
  const theirs =
    "INSERT INTO settings (org_id, key, value) VALUES ('harbor', 'CITY_LAT', '40'), ('harbor', 'CITY_LON', '-74')";
  await env.DB.prepare(theirs).run();
  placed = await made("/areas", { name: "Placed", location: { lat: 34, lon: -118 } });
  nowhere = await made("/areas", { name: "Nowhere" });
  hub_id = await made("/hubs", { name: "Hub", area_id: placed });
  device_id = await made("/devices", { name: "Lamp", area_id: placed, hub_id });
  await made("/schedules", { title: "Dusk", area_id: placed, device_id, rrule: "FREQ=DAILY", ...SUN });
});

describe("what has schedules by the sun stays where somebody knows the sun", () => {
  const area_id = "1 schedule goes by the sun, and this area has no position. Give the area or the city one first.";
  const refused = { status: 422, json: { errors: { area_id } } };

  test("a light", async () => {
    const moved = { name: "Lamp", area_id: nowhere, hub_id: null };
    expect(await manager.put(`/devices/${device_id}`, moved)).toMatchObject(refused);
  });

  test("a hub with its lights", async () => {
    expect(await manager.put(`/hubs/${hub_id}`, { name: "Hub", area_id: nowhere })).toMatchObject(refused);
  });

  test("a group", async () => {
    const group_id = await made("/groups", { name: "Pitch", area_id: placed, device_ids: [device_id] });
    await made("/schedules", { title: "Dawn", target: { type: "group", id: group_id }, rrule: "FREQ=DAILY", ...SUN });
    const there = await made("/devices", { name: "There", area_id: nowhere });
    const moved = { name: "Pitch", area_id: nowhere, device_ids: [there] };
    expect(await manager.put(`/groups/${group_id}`, moved)).toMatchObject(refused);
  });

  test("a light that an import moves, also where it has them only since the check", async () => {
    const [gate_id, quay] = [await made("/devices", { name: "Gate", area_id: placed }), "device,Gate,Quay,LOC-1,,"];
    await manager.put(`/devices/${gate_id}`, { name: "Gate", area_id: placed, cloud_device_id: "LOC-1" });
    const check = async (rows: string) =>
      (await importer.post("/imports", { csv: `Kind,Name,Area,Cloud ID,Latitude,Longitude\n${rows}` })).json.data;
    const apply = async ({ id }: { id: string }) => (await importer.post(`/imports/${id}/apply`)).json.data;
    const early = await check(`area,Quay,,,,\n${quay}`);
    const placing = await check(`area,Quay,,,34,-118\n${quay}`);
    await made("/schedules", { title: "Late", area_id: placed, device_id: gate_id, rrule: "FREQ=DAILY", ...SUN });

    const problems = [{ row: 3, column: "Area", sentence: area_id }];
    expect(await check(`area,Quay,,,,\n${quay}`)).toMatchObject({ state: "failed", problems });
    expect(await apply(early)).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/changed by someone else/),
    });
    expect(await areaOf(gate_id)).toBe("Placed");
    expect(await apply(placing)).toMatchObject({ state: "done" });
    expect(await areaOf(gate_id)).toBe("Quay");
  });

  test("but a light goes along with an import whose schedules are canceled, or go by the clock, or that stays there", async () => {
    const [canceled, clocked, stays] = [
      await made("/devices", { name: "Canceled", area_id: placed }),
      await made("/devices", { name: "Clocked", area_id: placed }),
      await made("/devices", { name: "Stays", area_id: placed }),
    ];
    const book = (device_id: string, times: object) =>
      made("/schedules", { title: "Evening", area_id: placed, device_id, rrule: "FREQ=DAILY", ...times });
    await manager.put(`/schedules/${await book(canceled, SUN)}/cancel`);
    await book(clocked, { ...SUN, start_sun: null });
    await book(stays, SUN);
    const rows = ["Canceled,Nowhere,", "Clocked,Nowhere,", "Stays,Placed,noted"].map((row) => `device,${row}`);
    const ids = ["C-1", "C-2", "C-3"];
    for (const [n, id] of [canceled, clocked, stays].entries())
      await manager.put(`/devices/${id}`, { name: `Light ${n}`, area_id: placed, cloud_device_id: ids[n] });
    const csv = `Kind,Name,Area,Notes,Cloud ID\n${rows.map((row, n) => `${row},${ids[n]}`).join("\n")}`;
    const job = (await importer.post("/imports", { csv })).json.data;
    expect(job).toMatchObject({ state: "ready", counts: { device: { update: 3 } } });
    expect((await importer.post(`/imports/${job.id}/apply`)).json.data.state).toBe("done");
    expect([await areaOf(canceled), await areaOf(clocked), await areaOf(stays)]).toEqual([
      "Nowhere",
      "Nowhere",
      "Placed",
    ]);
  });

  test("but for an area that has a position, and what has no schedules by the sun, or canceled ones", async () => {
    const other = await made("/areas", { name: "Other", location: { lat: 35, lon: -118 } });
    expect((await manager.put(`/hubs/${hub_id}`, { name: "Hub", area_id: other })).status).toBe(200);
    const plain = await made("/devices", { name: "Plain", area_id: placed });
    expect((await manager.put(`/devices/${plain}`, { name: "Plain", area_id: nowhere })).status).toBe(200);
    const freed = await made("/devices", { name: "Freed", area_id: placed });
    const plan = { title: "Off", area_id: placed, device_id: freed, rrule: "FREQ=DAILY", ...SUN };
    await manager.put(`/schedules/${await made("/schedules", plan)}/cancel`);
    expect((await manager.put(`/devices/${freed}`, { name: "Freed", area_id: nowhere })).status).toBe(200);
  });

  test("but in a city that has a position itself, which is that of an area without one", async () => {
    const ours =
      "INSERT INTO settings (org_id, key, value) VALUES ('city', 'CITY_LAT', '34'), ('city', 'CITY_LON', '-118')";
    await env.DB.prepare(ours).run();
    const moved = { name: "Lamp", area_id: nowhere, hub_id: null };
    expect((await manager.put(`/devices/${device_id}`, moved)).status).toBe(200);
    expect(await areaOf(device_id)).toBe("Nowhere");
  });
});
