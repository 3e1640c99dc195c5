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

/** Where the fields of the other lists are held to what they do. */
const ELSEWHERE: Record<string, string> = {
  alarms: "alarms.test.ts",
  audit: "log-pages.test.ts",
  history: "log-pages.test.ts",
  schedulerEvents: "log-pages.test.ts",
  dashboard: "dashboard.test.ts: it shows lights",
  tonight: "tonight.test.ts: it shows lights",
  week: "week.test.ts: it shows lights",
};
const LISTS = ["areas", "hubs", "devices", "schedules", "workorders"] as const;

test("each list that comes in pages says what it does with its fields, or why not", () => {
  const paged = Object.entries(servicesOf("admin")).flatMap(([service, verbs]) => ("page" in verbs ? [service] : []));
  expect(paged.toSorted()).toEqual([...LISTS, ...Object.keys(ELSEWHERE)].toSorted());
});

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
