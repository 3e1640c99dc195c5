import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { as, asked, at, fingerprint, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

const manager = as("manager");
const later = (hours: number) => as("manager", { now: () => new Date(at(hours)) });
const plan = (more: Record<string, unknown> = {}) => ({
  title: "Training",
  area_id: "park",
  device_id: "court",
  start_at: at(1),
  end_at: at(3),
  rrule: null,
  timezone: "America/Los_Angeles",
  ...more,
});
const make = async (more: Record<string, unknown> = {}) => (await manager.post("/schedules", plan(more))).json.data;
const WITHOUT_TIMES = { start_at: undefined, end_at: undefined };
const RULE = "This recurrence is not supported: repeat daily or weekly, up to 100 times, until a date or for ever";

test("creates a schedule as scheduled, with the names of its device and area and the end of its window", async () => {
  asked.length = 0;
  const { status, json } = await manager.post("/schedules", plan({ description_short: "  " }));
  expect(status).toBe(201);
  expect(json.data).toEqual({
    id: expect.any(String),
    title: "Training",
    area_id: "park",
    area_name: "Elm Park",
    device_id: "court",
    device_name: "Court light",
    target: { type: "device", id: "court", name: "Court light", devices: 1 },
    description_short: null,
    start_at: at(1),
    end_at: at(3),
    rrule: null,
    timezone: "America/Los_Angeles",
    start_sun: null,
    end_sun: null,
    exdates: [],
    calendar_id: null,
    calendar_rule: null,
    status: "scheduled",
    last_end_at: at(3),
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  expect(asked).toEqual([{ verb: "sync", org_id: "city" }]);
});

test("the screen's list shows the same record as the API", async () => {
  const made = await make();
  const { rows } = await servicesOf("manager").schedules.page({});
  expect(rows.find(({ id }) => id === made.id)).toEqual({
    ...made,
    is_area_active: true,
    may_write: true,
    skips: null,
    sun_area_id: null,
  });
});

test.each([
  ["FREQ=DAILY;COUNT=10", at(3 + 9 * 24)],
  ["FREQ=DAILY;INTERVAL=2;COUNT=3", at(3 + 4 * 24)],
  ["FREQ=WEEKLY;BYDAY=FR;COUNT=2", at(3 + 7 * 24)],
  ["FREQ=DAILY", null],
  ["FREQ=WEEKLY;BYDAY=MO,WE", null],
  ["FREQ=DAILY;UNTIL=20261122T235959Z", at(3 + 2 * 24)],
  ["", at(3)],
])("the last occurrence of '%s' ends at %s", async (rrule, last_end_at) => {
  expect(await make({ rrule })).toMatchObject({ last_end_at, rrule: rrule || null });
});

test("a rule that ends with the year 9999 never ends, so that it can be canceled", async () => {
  const { id, ...made } = await make({ start_at: at(6), end_at: at(10), rrule: "FREQ=DAILY;UNTIL=99991231" });
  expect(made).toMatchObject({ status: "scheduled", last_end_at: null });
  expect((await manager.put(`/schedules/${id}/cancel`, {})).status).toBe(200);
});

test.each([
  [at(1).replace(".000Z", "Z"), at(1)],
  [at(1).replace(":00.000Z", "Z"), at(1)],
  ["2026-11-20T13:00:00-08:00", at(1)],
])("stores the start %s in UTC with milliseconds", async (start_at, kept) => {
  expect(await make({ start_at })).toMatchObject({ start_at: kept });
});

test.each([
  [{ title: " " }, "Title, area, and device are required"],
  [{ area_id: undefined }, "Title, area, and device are required"],
  [{ device_id: "" }, "Title, area, and device are required"],
  [{ ...WITHOUT_TIMES, title: "" }, "Title, area, and device are required"],
  [WITHOUT_TIMES, "Start and end date/time are required"],
  [{ end_at: "" }, "Start and end date/time are required"],
  [{ start_at: 5 }, "Start and end date/time are required"],
  [{ start_at: "tomorrow" }, "Start must be a date and time"],
  [{ start_at: "2026-11-21" }, "Start must be a date and time"],
  [{ start_at: "2026-11-21T10:00:00" }, "Start must be a date and time. Its offset is missing: Z, or one like -07:00"],
  [{ end_at: "2026-02-30T10:00:00Z" }, "End must be a date and time"],
  [{ end_at: at(1) }, "End time must be after start time"],
  [{ end_at: at(0.5) }, "End time must be after start time"],
  [{ end_at: at(25.001) }, "A schedule may last at most 24 hours"],
  [{ start_at: at(24 * 3660), end_at: at(24 * 3660 + 1) }, "The start must be within ten years from now"],
  [{ start_at: "0001-01-01T00:00:00Z", end_at: "0001-01-01T01:00:00Z" }, "The start must be within ten years from now"],
  [{ start_at: at(-3), end_at: at(-1) }, "This schedule lies wholly in the past"],
  [{ start_at: at(-3), end_at: at(0) }, "This schedule lies wholly in the past"],
  [{ start_at: at(-72), end_at: at(-71), rrule: "FREQ=DAILY;COUNT=2" }, "This schedule lies wholly in the past"],
  [{ rrule: "FREQ=DAILY;UNTIL=20251122T235959Z" }, "This recurrence ends before its first occurrence"],
  [{ rrule: "FREQ=WEEKLY" }, "Please select at least one day for weekly recurring"],
  [{ rrule: "FREQ=WEEKLY;BYDAY=" }, "Please select at least one day for weekly recurring"],
  [{ rrule: "FREQ=WEEKLY;BYDAY=XX" }, RULE],
  [{ rrule: "FREQ=MONTHLY" }, RULE],
  [{ rrule: "FREQ=DAILY;COUNT=0" }, RULE],
  [{ rrule: "FREQ=DAILY;COUNT=101" }, RULE],
  [{ rrule: "FREQ=DAILY;COUNT=ten" }, RULE],
  [{ rrule: "FREQ=DAILY;BYSETPOS=1" }, RULE],
  [{ rrule: "every day" }, RULE],
  [{ rrule: { freq: "DAILY" } }, RULE],
  [{ rrule: "A".repeat(1_000) }, RULE],
  [
    { timezone: "Mars/Olympus" },
    "Time zone must be one of: America/Los_Angeles, America/Denver, America/Chicago, America/New_York, UTC",
  ],
  [
    { timezone: "Europe/Berlin" },
    "Time zone must be one of: America/Los_Angeles, America/Denver, America/Chicago, America/New_York, UTC",
  ],
  [{ title: "x".repeat(201) }, "Title may have at most 200 characters"],
  [{ description_short: "x".repeat(5001) }, "Description may have at most 5000 characters"],
  [{ area_id: "field" }, "Choose a device of the chosen area"],
  [{ device_id: "weir" }, "Choose a device of the chosen area"],
  [{ device_id: "buoy", area_id: "pier" }, "Choose a device of the chosen area"],
])("refuses %j with a message and changes nothing", async (more, detail) => {
  const { id } = await make();
  const before = await fingerprint();
  for (const refused of [
    await manager.post("/schedules", plan(more)),
    await manager.put(`/schedules/${id}`, plan(more)),
  ]) {
    expect(refused.json.detail).toBe(detail);
    expect(refused.status).toBe(422);
  }
  expect(await fingerprint()).toEqual(before);
});

test("accepts a start in the past and a window of exactly 24 hours", async () => {
  expect(await make({ start_at: at(-1), end_at: at(1) })).toMatchObject({ status: "scheduled" });
  expect(await make({ start_at: at(1), end_at: at(25) })).toMatchObject({ status: "scheduled" });
  expect(await make({ start_at: at(-100 * 24), end_at: at(2 - 100 * 24), rrule: "FREQ=DAILY" })).toMatchObject({
    last_end_at: null,
  });
});

test.each([
  ["over the night of 25 hours", "2027-11-06T06:00:00-07:00", "2027-11-07T06:00:00-08:00", "FREQ=DAILY", 201],
  ["over the night of 25 hours, once", "2027-11-06T06:00:00-07:00", "2027-11-07T06:00:00-08:00", null, 201],
  ["a minute longer", "2027-11-06T06:00:00-07:00", "2027-11-07T06:01:00-08:00", "FREQ=DAILY", 422],
  ["over the night of 23 hours", "2027-03-13T06:00:00-08:00", "2027-03-14T06:00:00-07:00", "FREQ=DAILY", 201],
  ["once, 24 real hours", "2027-03-13T06:00:00-08:00", "2027-03-14T07:00:00-07:00", null, 201],
  // Every other night it would have 25 hours.
  ["every day, 24 real hours", "2027-03-13T06:00:00-08:00", "2027-03-14T07:00:00-07:00", "FREQ=DAILY", 422],
])("24 hours are those of the zone's clock: %s", async (_, start_at, end_at, rrule, wanted) => {
  const { status, json } = await manager.post("/schedules", plan({ start_at, end_at, rrule }));
  expect(status).toBe(wanted);
  if (wanted === 422) expect(json.detail).toBe("A schedule may last at most 24 hours");
});

test("a zone that is not named judges the 24 hours as if it were named", async () => {
  const night = { start_at: "2027-11-06T06:00:00-07:00", end_at: "2027-11-07T06:00:00-08:00" };
  const { timezone: _, ...unnamed } = plan(night);
  expect((await manager.post("/schedules", unnamed)).status).toBe(201);
  const minute = await manager.post("/schedules", { ...unnamed, end_at: "2027-11-07T06:01:00-08:00" });
  expect([minute.status, minute.json.detail]).toEqual([422, "A schedule may last at most 24 hours"]);

  const { id } = await make();
  expect((await manager.put(`/schedules/${id}`, unnamed)).status).toBe(200);
  const elsewhere = await make({ timezone: "UTC" });
  const kept = await manager.put(`/schedules/${elsewhere.id}`, unnamed);
  expect([kept.status, kept.json.detail]).toEqual([422, "A schedule may last at most 24 hours"]);
});

test("a schedule that names no zone is by the clocks of the city", async () => {
  const admin = as("admin");
  await admin.post("/admin/settings", { APP_TIMEZONE: "America/New_York" });
  try {
    const { timezone: _, ...unnamed } = plan({ rrule: "FREQ=DAILY;COUNT=2" });
    const { json } = await manager.post("/schedules", unnamed);
    expect(json.data.timezone).toBe("America/New_York");
    const [found] = (await manager.get("/schedules")).json.data.filter(({ id }: { id: string }) => id === json.data.id);
    expect(found.timezone).toBe("America/New_York");
  } finally {
    await admin.post("/admin/settings", { APP_TIMEZONE: "America/Los_Angeles" });
  }
});

test("an edit moves the end and keeps a rule and zone that it does not name", async () => {
  const { id } = await make({ rrule: "FREQ=DAILY;COUNT=2", timezone: "UTC" });
  const { rrule: _, timezone: __, ...input } = plan({ end_at: at(4), title: "Match" });
  const { status, json } = await manager.put(`/schedules/${id}`, input, 1);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({
    title: "Match",
    rrule: "FREQ=DAILY;COUNT=2",
    timezone: "UTC",
    last_end_at: at(28),
  });
  expect((await manager.put(`/schedules/${id}`, input, 1)).status).toBe(409);
});

test("a canceled schedule can be neither edited nor canceled again", async () => {
  const { id } = await make();
  expect((await manager.put(`/schedules/${id}/cancel`)).json).toEqual({ success: true });
  const before = await fingerprint();
  const again = await manager.put(`/schedules/${id}/cancel`);
  expect([again.status, again.json.detail]).toEqual([409, "This schedule is already canceled and can't be canceled"]);
  const edit = await manager.put(`/schedules/${id}`, plan());
  expect([edit.status, edit.json.detail]).toEqual([409, "This schedule is already canceled and can't be edited"]);
  expect(await fingerprint()).toEqual(before);
  const listed = (await later(99).get("/schedules")).json.data.find((row: { id: string }) => row.id === id);
  expect(listed.status).toBe("canceled");
});

test("a schedule is done at the instant at which its last occurrence ends", async () => {
  const { id } = await make();
  const statusAt = async (hours: number) =>
    (await later(hours).get("/schedules")).json.data.find((row: { id: string }) => row.id === id).status;
  expect(await statusAt(2.999)).toBe("scheduled");
  expect(await statusAt(3)).toBe("done");
  expect((await later(3).put(`/schedules/${id}`, plan({ end_at: at(5) }))).status).toBe(409);
  expect((await later(3).put(`/schedules/${id}/cancel`)).status).toBe(409);
});

test.each([0, 1, 2, 3, 4])(
  "an edit whose schedule ends at look %i is refused or saved, never saved and dark",
  async (n) => {
    const { id } = await make();
    const before = await fingerprint();
    let looks = 0;
    const late = as("manager", { now: () => new Date(at(looks++ < n ? 2.999 : 3)) });
    const { status, json } = await late.put(`/schedules/${id}`, plan({ end_at: at(5) }));
    expect(status).toBe(n < 3 ? 409 : 200);
    if (status === 200) expect(json.data).toMatchObject({ status: "scheduled", last_end_at: at(5) });
    else expect(await fingerprint()).toEqual(before);
  },
);

test("of a simultaneous cancel and edit one is refused, or both succeed and it is canceled", async () => {
  const { id } = await make();
  const [cancel, edit] = await Promise.all([
    manager.put(`/schedules/${id}/cancel`),
    manager.put(`/schedules/${id}`, plan({ title: "Late" })),
  ]);
  expect(cancel.status).toBe(200);
  expect([200, 409]).toContain(edit.status);
  const row = await env.DB.prepare("SELECT status FROM schedules WHERE id = ?").bind(id).first();
  expect(row).toEqual({ status: "canceled" });
});

test("schedules have their device's visibility and write permissions", async () => {
  const mine = await make();
  const theirs = (await as("admin").post("/schedules", plan({ device_id: "weir" }))).json.data;
  const seenBy = async (...who: Parameters<typeof as>) =>
    (await as(...who).get("/schedules")).json.data.map((row: { id: string }) => row.id);
  expect(await seenBy("admin")).toEqual(expect.arrayContaining([mine.id, theirs.id]));
  expect(await seenBy("manager")).not.toContain(theirs.id);
  expect(await seenBy("admin", { dept: "rivers" })).not.toContain(mine.id);
  expect(await seenBy("stranger")).toEqual([]);

  const before = await fingerprint();
  expect((await manager.put(`/schedules/${theirs.id}`, plan())).status).toBe(404);
  expect((await manager.put(`/schedules/${theirs.id}/cancel`)).json).toEqual({ detail: "Schedule not found" });
  expect((await as("stranger").put(`/schedules/${mine.id}/cancel`)).status).toBe(404);
  expect((await as("auditor").put(`/schedules/${mine.id}/cancel`)).status).toBe(403);
  expect((await as("auditor").put(`/schedules/${mine.id}`, plan())).status).toBe(403);
  expect((await as("auditor").post("/schedules", plan())).status).toBe(403);
  expect((await as("employee").post("/schedules", plan())).status).toBe(403);
  expect((await as("employee").put(`/schedules/${mine.id}/cancel`)).status).toBe(403);
  expect(await fingerprint()).toEqual(before);
});

test("a device that moves takes its schedules along; one that is deleted deletes them", async () => {
  const light = (await manager.post("/devices", { name: "Mobile", area_id: "park" })).json.data;
  const { id } = await make({ device_id: light.id });
  await manager.put(`/devices/${light.id}`, { name: "Mobile", area_id: "field" });
  const found = async () => (await manager.get("/schedules")).json.data.find((row: { id: string }) => row.id === id);
  expect(await found()).toMatchObject({ area_id: "field", area_name: "North Field" });
  await as("admin").remove(`/devices/${light.id}`);
  expect(await found()).toBeUndefined();
});
