import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { as, NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

const admin = as("admin");
const made = async (path: string, input: object): Promise<string> => (await admin.post(path, input)).json.data.id;
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000).toISOString();

let [area, hub, light] = ["", "", ""];

/** Beside what the city has in its other places: a shore with a hub, two lights and three bookings to come. */
beforeAll(async () => {
  await seedCity();
  area = await made("/areas", { name: "Shore" });
  hub = await made("/hubs", { name: "Shore hub", area_id: area });
  light = await made("/devices", { name: "Shore light", area_id: area, hub_id: hub, dept_id: "sports" });
  const other = await made("/devices", { name: "Other light", area_id: area });
  const group = await made("/groups", { name: "Shore pair", area_id: area, device_ids: [light, other] });
  const lamp = await made("/devices", { name: "Lamp", area_id: "field" });
  const far = await made("/groups", { name: "Far", area_id: "field", device_ids: [lamp] });
  const book = (target: object, times: object = { start_at: at(1), end_at: at(2) }) =>
    made("/schedules", { title: "Game", target, ...times });
  await book({ type: "device", id: light });
  await book({ type: "group", id: group });
  await book({ type: "area", id: area });
  const off = await book({ type: "device", id: light });
  await admin.put(`/schedules/${off}/cancel`);
  for (const target of [
    { type: "device", id: lamp },
    { type: "device", id: "gate" },
    { type: "group", id: far },
    { type: "area", id: "park" },
    { type: "area", id: "field" },
  ])
    await book(target);
  await made("/workorders", { title: "Sports only", dept_id: "sports" });
  await made("/workorders", { title: "Rivers only", dept_id: "rivers" });
  await made("/workorders", { title: "Everybody's" });
});

test("before something is deleted, what goes with it is counted, and nothing of another place", async () => {
  const { dependents } = servicesOf("admin");
  expect(await dependents.area(area)).toBe("With it go 1 hub, 2 lights, and 3 schedules still to come.");
  expect(await dependents.device(light)).toBe("With it goes 1 schedule still to come.");
  expect(await dependents.hub(hub)).toBe("1 light stays, without a hub.");
  expect(await dependents.department("sports")).toBe("In it: 4 members, 2 lights, and 1 workorder.");
  expect(await dependents.movedHub(hub)).toBe(
    "With it goes 1 light, which leaves 1 group and 2 schedules still to come.",
  );
});

test("before a light that is on is deleted, or its area, it is said that it goes off", async () => {
  const { dependents } = servicesOf("admin");
  const change = (state: string) =>
    env.DB.prepare("UPDATE devices SET current_state = ? WHERE id IN (?, 'gate')").bind(state, light).run();
  await change("on");
  expect(await dependents.area(area)).toBe(
    "With it go 1 hub, 2 lights, and 3 schedules still to come. 1 light is on now, and goes off.",
  );
  expect(await dependents.device(light)).toBe("With it goes 1 schedule still to come. It is on now, and goes off.");
  expect(await dependents.hub(hub)).toBe("1 light stays, without a hub.");
  await change("off");
});

test("what is over or canceled by the time that somebody asks is not counted", async () => {
  const { dependents } = servicesOf("admin", { now: () => new Date(at(2)) });
  expect(await dependents.area(area)).toBe("With it go 1 hub and 2 lights.");
  expect(await dependents.movedHub(hub)).toBe("With it goes 1 light, which leaves 1 group.");
});
