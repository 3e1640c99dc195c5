import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { as, asked, at, audits, fingerprint, NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { rows } from "../support/door";

beforeAll(seedCity);
beforeEach(async () => {
  await rows("DELETE FROM schedules");
  await rows("DELETE FROM device_groups");
});

const admin = as("admin");
const manager = as("manager");
const PARK = { type: "area", id: "park" };
const NOT_YOURS = { status: 403, json: { detail: "Some of these lights belong to departments you are not in" } };

const times = { start_at: at(1), end_at: at(3), timezone: "UTC" };
const booking = (more: Record<string, unknown>) => ({ title: "Game", area_id: "park", ...times, ...more });
const aGroup = async (device_ids: string[], name = "Pitch A"): Promise<string> =>
  (await admin.post("/groups", { area_id: "park", name, device_ids })).json.data.id;
const made = async (more: Record<string, unknown>) => {
  const { status, json } = await admin.post("/schedules", booking(more));
  expect({ status, json }).toMatchObject({ status: 201 });
  return json.data;
};
const titlesSeenBy = async (who: typeof admin) =>
  (await who.get("/schedules")).json.data.map(({ title }: { title: string }) => title);

describe("what a schedule is for", () => {
  test("a device, a group or all lights of an area, with the target's name and the number of its lights", async () => {
    const id = await aGroup(["gate", "court"]);
    asked.length = 0;
    expect(await made({ device_id: "gate" })).toMatchObject({
      device_id: "gate",
      device_name: "Gate light",
      target: { type: "device", id: "gate", name: "Gate light", devices: 1 },
    });
    expect(await made({ target: { type: "device", id: "gate" } })).toMatchObject({ device_id: "gate" });
    expect(await made({ target: { type: "group", id } })).toMatchObject({
      area_id: "park",
      area_name: "Elm Park",
      device_id: null,
      device_name: "Pitch A",
      target: { type: "group", id, name: "Pitch A", devices: 2 },
    });
    expect(await made({ target: PARK })).toMatchObject({
      device_id: null,
      device_name: "All lights",
      target: { ...PARK, name: "All lights", devices: 3 },
    });
    expect(asked).toHaveLength(4);
    expect(JSON.parse((await audits()).at(-1)?.details ?? "{}").after).toMatchObject({ target: PARK, device_id: null });
  });

  test("a target names its area by itself", async () => {
    const id = await aGroup(["gate"]);
    expect(await made({ area_id: undefined, target: { type: "group", id } })).toMatchObject({ area_id: "park" });
    expect(await made({ area_id: undefined, target: PARK })).toMatchObject({ area_id: "park" });
  });

  test("several ticked devices become a group without a name, which is told by the first of them", async () => {
    const ticked = { type: "group", device_ids: ["weir", "court", "gate"] };
    expect((await made({ target: ticked })).target).toMatchObject({ name: "Court light and 2 more", devices: 3 });
    expect((await admin.get("/groups")).json.data).toEqual([]);
    const seen = (await as("admin", { dept: "rivers" }).get("/schedules")).json.data;
    expect(seen).toMatchObject([{ device_name: "Gate light and 2 more" }]);
  });

  test("ticked devices are all the person's to write: not those of a department that they only read", async () => {
    const ticked = (device_ids: string[]) => booking({ target: { type: "group", device_ids } });
    const before = await fingerprint();
    for (const path of ["/schedules", "/schedules/preview"])
      for (const who of ["auditor", "inspector"] as const)
        expect(await as(who).post(path, ticked(["gate", "court"]))).toEqual({
          status: 403,
          json: { detail: "Permission denied" },
        });
    expect(await fingerprint()).toEqual(before);
  });

  test("ticked devices of which one alone is left are called by that one", async () => {
    const lent = (await admin.post("/devices", { name: "A lent light", area_id: "park" })).json.data.id;
    await made({ target: { type: "group", device_ids: [lent, "gate"] } });
    await admin.remove(`/devices/${lent}`);
    expect((await admin.get("/schedules")).json.data).toMatchObject([{ device_name: "Gate light" }]);
  });

  test("one ticked device is that device", async () => {
    const schedule = await made({ target: { type: "group", device_ids: ["gate", "gate"] } });
    expect(schedule).toMatchObject({ device_id: "gate", target: { type: "device", id: "gate" } });
    expect(await rows("SELECT id FROM device_groups")).toEqual([]);
  });
});

describe("a target that does not fit", () => {
  const UNFIT: [string, Record<string, unknown>][] = [
    ["Title, area, and device are required", {}],
    ["Title, area, and device are required", { target: null }],
    ["Title, area, and device are required", { area_id: undefined, device_id: "gate" }],
    ["Target type must be one of: device, group, area", { target: { type: "hub", id: "park-hub" } }],
    ["Choose a device, a group or an area", { target: "all" }],
    ["Choose a device, a group or an area", { target: { type: "group" } }],
    ["Choose a device, a group or an area", { target: { type: "area", device_ids: ["gate"] } }],
    ["Choose 1 to 500 devices", { target: { type: "group", device_ids: [] } }],
    ["Choose a group of the chosen area", { target: { type: "group", id: "nowhere" } }],
    ["Choose a group of the chosen area", { area_id: "field", target: { type: "group", id: "PITCH" } }],
    ["Choose the lights of the chosen area", { area_id: "field", target: PARK }],
    ["Choose the lights of the chosen area", { target: { type: "area", id: "pier" } }],
    ["Choose a device of the chosen area", { target: { type: "device", id: "buoy" } }],
    ["Choose devices of the chosen area", { target: { type: "group", device_ids: ["gate", "buoy"] } }],
  ];
  test.each(UNFIT.map(([detail, more], n) => ({ n, detail, more })))(
    "is refused ($n): $detail",
    async ({ detail, more }) => {
      const text = JSON.stringify(booking(more)).replace("PITCH", await aGroup(["gate"]));
      const { id } = await made({ device_id: "gate" });
      const before = await fingerprint();
      for (const refused of [
        await admin.call("POST", "/schedules", text, JSON_TYPE),
        await admin.call("PUT", `/schedules/${id}`, text, JSON_TYPE),
      ]) {
        expect(refused).toMatchObject({ status: 422, json: { detail } });
      }
      expect(await fingerprint()).toEqual(before);
    },
  );
  const JSON_TYPE = { "Content-Type": "application/json" };
});

describe("an edit", () => {
  test("from a form that was open while its light or group was moved to another area is told to load it anew", async () => {
    const lent = (await admin.post("/devices", { name: "Lent light", area_id: "park" })).json.data;
    const group = await aGroup(["gate"], "Lent group");
    const ofLight = await made({ device_id: lent.id });
    const ofGroup = await made({ target: { type: "group", id: group } });
    await admin.put(`/devices/${lent.id}`, { name: lent.name, area_id: "field" });
    await admin.put(`/groups/${group}`, { name: "Lent group", area_id: "field", device_ids: [lent.id] });
    for (const [what, { id, target }] of [
      ["device", ofLight],
      ["group", ofGroup],
    ] as const) {
      const late = booking({ title: "Final", target: { type: target.type, id: target.id } });
      for (const refused of [
        await admin.put(`/schedules/${id}`, late, 1),
        await admin.post(`/schedules/preview?id=${id}`, late),
      ]) {
        expect(refused).toMatchObject({
          status: 409,
          json: { detail: `The ${what} of this schedule is in another area by now. Reload and try again.` },
        });
      }
      expect((await admin.put(`/schedules/${id}`, { ...late, area_id: "field" }, 1)).status).toBe(200);
    }
  });

  test("from a form that was open while one of its ticked lights was moved is told to load it anew", async () => {
    const lent = (await admin.post("/devices", { name: "Lent light", area_id: "park" })).json.data;
    const target = { type: "group", device_ids: ["gate", lent.id] };
    const { id } = await made({ target });
    await admin.put(`/devices/${lent.id}`, { name: lent.name, area_id: "field" });
    const late = booking({ title: "Final", target });
    for (const refused of [
      await admin.put(`/schedules/${id}`, late, 1),
      await admin.post(`/schedules/preview?id=${id}`, late),
    ]) {
      expect(refused).toMatchObject({
        status: 409,
        json: { detail: "A device of this schedule is in another area by now, or deleted. Reload and try again." },
      });
    }
    await admin.remove(`/devices/${lent.id}`);
  });

  test("of a light that was moved more than a day ago is from no form that was open since", async () => {
    const lent = (await admin.post("/devices", { name: "Lent light", area_id: "park" })).json.data;
    const { id } = await made({ device_id: lent.id, rrule: "FREQ=DAILY" });
    await admin.put(`/devices/${lent.id}`, { name: lent.name, area_id: "field" });
    const editedAfter = async (hours: number) => {
      const later = as("admin", { now: () => new Date(at(hours)) });
      return (await later.put(`/schedules/${id}`, booking({ device_id: lent.id }), 1)).json;
    };
    expect(await editedAfter(23)).toMatchObject({ detail: expect.stringMatching(/in another area by now/) });
    expect(await editedAfter(25)).toMatchObject({ errors: { device_id: "Choose a device of the chosen area" } });
    await admin.remove(`/devices/${lent.id}`);
  });

  test("that names an area or a ticked light that it never had is refused as such, also by who has read it", async () => {
    const { id } = await made({ device_id: "gate" });
    const far = (await admin.post("/devices", { name: "Far light", area_id: "field" })).json.data.id;
    for (const [more, errors] of [
      [{ area_id: "field", device_id: "gate" }, { device_id: "Choose a device of the chosen area" }],
      [{ target: { type: "group", device_ids: ["gate", far] } }, { target: "Choose devices of the chosen area" }],
    ] as const)
      expect(await admin.put(`/schedules/${id}`, booking(more), 1)).toMatchObject({ status: 422, json: { errors } });
    await admin.remove(`/devices/${far}`);
  });

  test("without a target keeps the group or area; a device that is named takes its place", async () => {
    const { id } = await made({ target: PARK });
    const put = async (more: Record<string, unknown>) => (await admin.put(`/schedules/${id}`, booking(more))).json.data;
    expect(await put({ title: "Final" })).toMatchObject({ title: "Final", target: PARK, device_id: null });
    expect(await put({ device_id: null })).toMatchObject({ target: PARK });
    expect(await rows("SELECT target_since FROM schedules")).toEqual([{ target_since: null }]);
    expect(await put({ device_id: "gate" })).toMatchObject({ device_id: "gate" });
    expect(await rows("SELECT target_since FROM schedules")).toEqual([{ target_since: NOW.toISOString() }]);
  });

  test("that takes another light, or ticks the lights of a group with a name, is for these from now on", async () => {
    const group = await aGroup(["gate", "court"]);
    const ofLight = await made({ device_id: "gate" });
    const ofGroup = await made({ target: { type: "group", id: group } });
    await rows("UPDATE group_devices SET added_at = '2026-01-01'");
    const ticked = { type: "group", device_ids: ["gate", "court"] };
    await admin.put(`/schedules/${ofLight.id}`, booking({ device_id: "court" }));
    const { json } = await admin.put(`/schedules/${ofGroup.id}`, booking({ target: ticked }));
    expect(json.data.target).toMatchObject({ id: expect.not.stringContaining(group), devices: 2 });
    expect(await rows("SELECT DISTINCT target_since FROM schedules")).toEqual([{ target_since: NOW.toISOString() }]);
    const old = "SELECT device_id FROM group_devices WHERE group_id = ? AND added_at = '2026-01-01'";
    expect(await rows(old, json.data.target.id)).toEqual([]);
    expect(await rows(old, group)).toHaveLength(2);
  });

  test("of the ticked devices lets those that stay be in it since then, and removes the old group", async () => {
    const { id, target } = await made({ target: { type: "group", device_ids: ["gate", "court"] } });
    const other = await aGroup(["gate", "court"], "Another");
    const addedAt = (group: string, device_id: string, day: string) =>
      rows("UPDATE group_devices SET added_at = ? WHERE group_id = ? AND device_id = ?", day, group, device_id);
    await addedAt(target.id, "gate", "2026-01-01");
    await addedAt(target.id, "court", "2026-01-02");
    await addedAt(other, "gate", "2026-01-03");
    await addedAt(other, "court", "2026-01-04");
    const put = (device_ids: string[]) =>
      admin.put(`/schedules/${id}`, booking({ target: { type: "group", device_ids } }));
    expect((await put(["court", "gate"])).json.data.target.id).toBe(target.id);
    const { json } = await put(["gate", "weir"]);
    expect(json.data.target).toMatchObject({ name: "Gate light and 1 more", devices: 2 });
    expect(await rows("SELECT id FROM device_groups WHERE name IS NULL")).toEqual([{ id: json.data.target.id }]);
    const membersOf = (group: string) =>
      rows("SELECT device_id, added_at FROM group_devices WHERE group_id = ? ORDER BY 1", group);
    expect(await membersOf(json.data.target.id)).toEqual([
      { device_id: "gate", added_at: "2026-01-01" },
      { device_id: "weir", added_at: expect.not.stringContaining("2026-01-0") },
    ]);
    expect(await membersOf(other)).toEqual([
      { device_id: "court", added_at: "2026-01-04" },
      { device_id: "gate", added_at: "2026-01-03" },
    ]);
    expect(await rows("SELECT target_since FROM schedules")).toEqual([{ target_since: null }]);
    expect((await admin.put(`/schedules/${id}`, booking({ target: PARK }))).status).toBe(200);
    expect(await rows("SELECT id FROM device_groups")).toEqual([{ id: other }]);
  });
});

describe("who sees and who may", () => {
  test("whoever sees one of its lights sees it; a search finds it by a light that one sees", async () => {
    const rivers = await aGroup(["weir"], "Rivers only");
    await made({ title: "All", target: PARK });
    await made({ title: "Weir", target: { type: "group", id: rivers } });
    expect((await titlesSeenBy(admin)).toSorted()).toEqual(["All", "Weir"]);
    expect(await titlesSeenBy(manager)).toEqual(["All"]);
    expect(await titlesSeenBy(as("admin", { dept: "sports" }))).toEqual(["All"]);
    expect(await titlesSeenBy(as("stranger"))).toEqual([]);
    const found = async (who: "admin" | "manager", query: Record<string, string>) =>
      (await servicesOf(who).schedules.page(query)).rows.map(({ title }) => title).toSorted();
    expect(await found("admin", { q: "weir light" })).toEqual(["All", "Weir"]);
    expect(await found("manager", { q: "weir light" })).toEqual([]);
    expect(await found("admin", { q: "court light" })).toEqual(["All"]);
    expect(await found("admin", { device: "court" })).toEqual(["All"]);
    expect(await found("admin", { device: "weir" })).toEqual(["All", "Weir"]);
    // Whoever does not see the light is not told where it is.
    expect(await found("manager", { device: "weir" })).toEqual([]);
    expect(await found("admin", { dept: "rivers" })).toEqual(["All", "Weir"]);
    expect(await found("admin", { dept: "sports" })).toEqual(["All"]);
    expect(await found("admin", { area: "park" })).toEqual(["All", "Weir"]);
    expect(await found("admin", { area: "field" })).toEqual([]);
    expect(await found("admin", { on: at(1).slice(0, 10), sort: "device" })).toEqual(["All", "Weir"]);
  });

  test("who sees none of the lights of a place does not see what is for all of them, whatever they see elsewhere", async () => {
    const dam = (await admin.post("/areas", { name: "Dam", type: "river" })).json.data.id;
    await admin.post("/devices", { name: "Dam light", area_id: dam, dept_id: "rivers" });
    await made({ title: "Flood", area_id: dam, target: { type: "area", id: dam } });
    expect(await titlesSeenBy(manager)).toEqual([]);
    expect(await titlesSeenBy(as("admin", { dept: "rivers" }))).toEqual(["Flood"]);
    await admin.remove(`/areas/${dam}`);
  });

  test("a change needs every light of it, by membership and not by the chosen department", async () => {
    const id = await aGroup(["gate", "court", "weir"]);
    const mine = await aGroup(["gate", "court"], "Mine");
    const all = await made({ target: { type: "group", id } });
    const before = await fingerprint();
    for (const target of [{ type: "group", id }, PARK]) {
      expect(await manager.post("/schedules", booking({ target }))).toMatchObject(NOT_YOURS);
    }
    const ticked = { target: { type: "group", device_ids: ["gate", "weir"] } };
    expect(await manager.post("/schedules", booking(ticked))).toMatchObject({ status: 422 });
    expect(await manager.put(`/schedules/${all.id}`, booking({ device_id: "gate" }))).toMatchObject(NOT_YOURS);
    expect(await manager.put(`/schedules/${all.id}/cancel`)).toMatchObject(NOT_YOURS);
    expect(await as("auditor").post("/schedules", booking({ target: { type: "group", id: mine } }))).toMatchObject({
      status: 403,
      json: { detail: "Permission denied" },
    });
    expect(await fingerprint()).toEqual(before);
    const narrow = as("admin", { dept: "sports" });
    expect((await narrow.post("/schedules", booking({ target: PARK }))).status).toBe(201);
    expect((await manager.post("/schedules", booking({ target: { type: "group", id: mine } }))).status).toBe(201);
  });
});

describe("what follows membership", () => {
  test("the next windows of a device and of its area, with the number of their lights", async () => {
    const id = await aGroup(["gate", "court"]);
    await made({ title: "Group", target: { type: "group", id } });
    await made({ title: "All", target: PARK });
    const windowsOf = async (path: string, who = admin) =>
      (await who.get(path)).json.data.windows
        .map(({ title, lights }: { title: string; lights: number }) => `${title} ${lights}`)
        .toSorted();
    expect(await windowsOf("/devices/gate")).toEqual(["All 1", "Group 1"]);
    expect(await windowsOf("/devices/weir")).toEqual(["All 1"]);
    expect(await windowsOf("/areas/park")).toEqual(["All 3", "Group 2"]);
    expect(await windowsOf("/areas/park", manager)).toEqual(["All 2", "Group 2"]);
  });

  test("the dashboard's next event, where one of the lights is shown", async () => {
    const id = await aGroup(["weir"], "Rivers only");
    await made({ target: { type: "group", id } });
    const nextFor = async (who: "admin" | "manager") => {
      const { rows: areas, totals } = await servicesOf(who).dashboard.page({});
      return [areas.find(({ id: area_id }) => area_id === "park")?.next_event, totals.next_event];
    };
    expect(await nextFor("admin")).toEqual([at(1), at(1)]);
    expect(await nextFor("manager")).toEqual([null, null]);
    await made({ target: PARK, start_at: at(0.5) });
    expect(await nextFor("manager")).toEqual([at(0.5), at(0.5)]);
  });

  test("the question before a deletion, and the deletion itself", async () => {
    const id = await aGroup(["gate"]);
    await made({ target: { type: "group", id } });
    await made({ target: PARK });
    await made({ device_id: "gate" });
    expect(await servicesOf("admin").dependents.area("park")).toContain("3 schedules still to come");
    expect(await servicesOf("admin").dependents.device("gate")).toBe("With it goes 1 schedule still to come.");
  });
});
