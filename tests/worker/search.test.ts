import { beforeAll, expect, test } from "vitest";
import { seedCity } from "../support/city";
import { as, servicesOf } from "../support/api";
import { INPUTS, LISTED } from "../support/listed-fields";

type List = keyof typeof LISTED;

const made: Partial<Record<List, { id: string }>> = {};

beforeAll(async () => {
  await seedCity();
  const make = async (list: List, more: object = {}) => {
    const { json } = await as("admin").post(`/${list}`, { ...INPUTS[list], ...more });
    made[list] = json.data;
    return json.data;
  };
  const area = await make("areas");
  const hub = await make("hubs", { area_id: area.id });
  const device = await make("devices", { area_id: area.id, hub_id: hub.id });
  for (const list of ["schedules", "workorders"] as const) await make(list, { area_id: area.id, device_id: device.id });
});

const LISTS = ["areas", "hubs", "devices", "schedules", "workorders"] as const;

test.each(LISTS)("the search of %s finds by the fields that say so, and by no others", async (list) => {
  const record = made[list];
  const isFound = async (q: string) =>
    (await servicesOf("admin")[list].page({ q, sort: "" })).rows.some(({ id }) => id === record?.id);
  const wrong: string[] = [];
  for (const [field, listed] of Object.entries(LISTED[list])) {
    const value: unknown = Reflect.get(Object(record), field);
    if (listed?.found) wrong.push(...((await isFound(listed.found)) ? [] : [field]));
    else if (typeof value === "string" && (await isFound(value))) wrong.push(field);
  }
  expect(wrong).toEqual([]);
});
