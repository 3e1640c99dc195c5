import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { as, asked, audits, NOW, servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

const employee = as("employee");
const MINE = "/messages/mine";
const NOTHING = {
  version: 0,
  updated_at: null,
  phone: null,
  email: null,
  urgent_by: [],
  other_by: [],
  left_out: [],
  quiet_from: null,
  quiet_to: null,
  digest: true,
};
const SMS = { phone: "+13105550142", urgent_by: ["sms"] };

test("who has saved nothing hears nothing, and what is saved is kept by person, audited, and told to the engine", async () => {
  // Of another organization that they may work in.
  await env.DB.prepare(
    "INSERT INTO message_choices (org_id, user_id, phone) VALUES ('harbor', 'employee', '+1')",
  ).run();
  expect((await employee.get(MINE)).json.data).toEqual(NOTHING);
  asked.length = 0;
  const saved = await employee.put(MINE, { ...SMS, quiet_from: "22:00", quiet_to: "06:00" });
  const quiet = { quiet_from: "22:00", quiet_to: "06:00" };
  expect(saved.json.data).toEqual({ ...NOTHING, ...SMS, ...quiet, version: 1, updated_at: expect.any(String) });
  expect(asked).toEqual([{ verb: "sync", org_id: "city" }]);
  expect((await audits()).at(-1)).toMatchObject({ action: "create", resource_type: "message_choice" });
  const changed = await employee.put(MINE, { quiet_from: "", quiet_to: null, email: "home@parks.example" }, 1);
  expect(changed.json.data).toMatchObject({ ...SMS, quiet_from: null, quiet_to: null, email: "home@parks.example" });
  expect((await as("manager").get(MINE)).json.data).toEqual(NOTHING);
});

test.each([
  [{ urgent_by: ["sms"], phone: "" }, { phone: "SMS needs your phone number" }],
  [{ phone: "310 555 0142" }, { phone: "The phone number must be E.164, such as +13105550142" }],
  [{ email: "ana@" }, { email: "Please enter a valid email address" }],
  [{ quiet_from: "22:00", quiet_to: "" }, { quiet_to: "Quiet hours need an end" }],
  [{ quiet_from: "", quiet_to: "06:00" }, { quiet_from: "Quiet hours need a beginning" }],
  [{ quiet_from: "25:00", quiet_to: "06:00" }, { quiet_from: "Quiet hours must be times as HH:MM, or empty" }],
  [{ urgent_by: ["pigeon"] }, { "urgent_by.0": "Channels must be some of: sms, email" }],
])("%j is refused with a sentence", async (input, errors) => {
  const before = (await employee.get(MINE)).json.data;
  const { status, json } = await employee.put(MINE, input);
  expect([status, json.errors]).toEqual([422, errors]);
  expect((await employee.get(MINE)).json.data).toEqual(before);
});

test("an address is kept as an account's is, in small letters, so that nobody hears twice", async () => {
  const { email } = (await employee.put(MINE, { email: " Home@Parks.example " })).json.data;
  expect(email).toBe("home@parks.example");
  const lists = { NOTIFY_EMAIL_TO: "Ana@City.example, ana@city.example", ESCALATE_TO: "+13105550142,Ben@City.example" };
  const path = "/admin/settings/messages";
  await as("admin").post(path, { ...lists, EMAIL_FROM: "Lights@City.example" });
  expect((await as("admin").get(path)).json).toMatchObject({
    NOTIFY_EMAIL_TO: "ana@city.example",
    ESCALATE_TO: "+13105550142,ben@city.example",
    EMAIL_FROM: "Lights@City.example",
  });
});

test("a choice that was changed in another tab is not written over", async () => {
  const manager = as("manager");
  expect((await manager.put(MINE, SMS, 4)).status).toBe(409);
  expect((await manager.put(MINE, SMS)).json.data.version).toBe(1);
  expect((await manager.put(MINE, { digest: false }, 1)).json.data.version).toBe(2);
  expect((await manager.put(MINE, { digest: true }, 1)).status).toBe(409);
});

test("staff sees who hears of what, only of their own organization, and not who has left", async () => {
  await env.DB.prepare("UPDATE org_memberships SET active = 0 WHERE user_id = 'auditor'").run();
  const { json } = await as("manager").get("/messages/people");
  expect(
    json.data.map(({ account, email, urgent_by }: Record<string, unknown>) => [account, email, urgent_by]),
  ).toEqual([
    ["admin@parks.example", "admin@parks.example", []],
    ["employee@parks.example", "home@parks.example", ["sms"]],
    ["inspector@parks.example", "inspector@parks.example", []],
    ["manager@parks.example", "manager@parks.example", ["sms"]],
  ]);
});

test("a test message is sent at most once a minute, and only where there is a channel", async () => {
  expect((await as("inspector").post(`${MINE}/test`)).json).toEqual({
    success: false,
    detail: "Choose a channel and save it first",
  });
  const later = as("employee", { now: () => new Date(NOW.getTime() + 60_000) });
  asked.length = 0;
  expect((await employee.post(`${MINE}/test`)).json.success).toBe(true);
  expect((await employee.post(`${MINE}/test`)).status).toBe(429);
  expect((await later.post(`${MINE}/test`)).json.success).toBe(true);
  const sent = { verb: "testMessage", org_id: "city", user_id: "employee" };
  expect(asked).toEqual([sent, sent]);
  expect((await audits()).at(-1)).toMatchObject({ action: "test", resource_type: "message_choice" });
  expect((await as("manager").post(`${MINE}/test`)).json.success).toBe(true);
});

test("who leaves the organization leaves no choice behind", async () => {
  expect((await as("admin").remove("/users/employee")).status).toBe(200);
  const { results } = await env.DB.prepare("SELECT org_id FROM message_choices WHERE user_id = 'employee'").all();
  expect(results).toEqual([{ org_id: "harbor" }]);
});

test("a city in which only the escalation has an address is not told that nobody hears", async () => {
  await env.DB.prepare("DELETE FROM message_choices").run();
  const warning = () => servicesOf("admin").messageChoices.warning();
  const nobody = "no address is set, and nobody has chosen a way.";
  expect(await warning()).toBe(`Nobody hears of urgent alarms: ${nobody}`);
  await as("admin").post("/admin/settings/messages", { ESCALATE_AFTER_MIN: 15, ESCALATE_TO: "chief@city.gov" });
  expect(await warning()).toBe(`Nobody hears of urgent alarms: ${nobody}`);
  await as("admin").post("/admin/settings/messages", { ESCALATE_TO: "chief@city.gov, +13105550188" });
  expect(await warning()).toBe(`Nobody hears of urgent alarms before the escalation after 15 minutes: ${nobody}`);
});
