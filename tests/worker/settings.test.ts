import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { database } from "#db/database";
import { open } from "#db/sealed";
import { maskKey } from "#domain/organization/settings-schema";
import { emailHandlers } from "#app/routes/messages/email-handlers";
import { as, asked, audits, fingerprint, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { countedDatabase } from "../support/counted";
import { misfitBody, published } from "../support/document";
import { interruptedBy } from "../support/interrupted";
import { Wire } from "../support/wire";

await seedCity();
beforeEach(() => env.DB.prepare("DELETE FROM settings").run());

const admin = as("admin");
const SYSTEM = "/admin/settings";
const GUARDRAILS = "/admin/settings/guardrails";
const KEY = "uac.ua_4F2A91B7C3D8E6:sec_v1_topsecret";
const MASKED = "uac.ua_4F…••••";
const SYSTEM_DEFAULTS = {
  YOLINK_UAC_KEY: "",
  YOLINK_CLOUD_BASE: "https://api.yosmart.com",
  PROVIDER_MODE: "mock",
  APP_TIMEZONE: "America/Los_Angeles",
  HUB_CHECK_INTERVAL_SEC: 180,
  HUB_OFFLINE_ALERT_MIN: 15,
  SESSION_IDLE_MIN: 60,
  SECOND_FACTOR_ROLES: [],
  CITY_LAT: null,
  CITY_LON: null,
};
const GUARDRAIL_DEFAULTS = {
  HARD_CURFEW_OFF: "23:45",
  MAX_ON_DURATION_MIN: 240,
  BLACKOUT_WINDOW: "00:00-05:00",
  WATCHDOG_ENABLED: true,
  WATCHDOG_INTERVAL_SEC: 60,
  YOLINK_VERIFY_DELAY_SEC: 8,
  RETRY_BACKOFFS_SEC: [10, 30],
  NOTIFY_ON_FAIL: true,
  NOTIFY_SMS_TO: "+12025550123",
};
const storedKey = async () => {
  const row = await env.DB.prepare("SELECT value FROM settings WHERE key = 'YOLINK_UAC_KEY'").first<{
    value: string;
  }>();
  return row ? String(JSON.parse(row.value)) : null;
};

test("unsaved settings have the specified defaults", async () => {
  expect((await admin.get(SYSTEM)).json).toEqual(SYSTEM_DEFAULTS);
  expect((await admin.get(GUARDRAILS)).json).toEqual(GUARDRAIL_DEFAULTS);
});

test.each([SYSTEM, GUARDRAILS, `${SYSTEM}/messages`])(
  "%s may be posted back as it came, by the document too",
  async (path) => {
    const { json } = await admin.get(path);
    const map = json.data ?? json;
    expect(misfitBody(await published(), `POST ${path}`, map)).toBeNull();
    expect((await admin.post(path, map)).status).toBe(200);
  },
);

test("a post merges known keys, is audited, informs the scheduler and leaves other organizations alone", async () => {
  asked.length = 0;
  const { status, json } = await admin.post(SYSTEM, { HUB_CHECK_INTERVAL_SEC: 60, org_id: "harbor", DEMO: "on" });
  expect([status, json]).toEqual([200, { success: true }]);
  expect((await admin.get(SYSTEM)).json).toEqual({ ...SYSTEM_DEFAULTS, HUB_CHECK_INTERVAL_SEC: 60 });
  expect((await as("stranger").get(SYSTEM)).json).toEqual(SYSTEM_DEFAULTS);
  expect((await audits()).at(-1)).toMatchObject({ action: "update", resource_type: "settings" });
  expect(asked).toEqual([{ verb: "sync", org_id: "city" }]);
});

test("posting the map back as read changes nothing", async () => {
  await admin.post(SYSTEM, { YOLINK_UAC_KEY: KEY });
  const before = await fingerprint();
  for (const path of [SYSTEM, GUARDRAILS]) {
    expect((await admin.post(path, (await admin.get(path)).json)).json).toEqual({ success: true });
  }
  expect(await fingerprint()).toEqual(before);
});

test("the UAC key is stored encrypted and shown masked; posting the mask keeps it, '' removes it", async () => {
  await admin.post(SYSTEM, { YOLINK_UAC_KEY: ` ${KEY} ` });
  const sealed = await storedKey();
  expect(await open(sealed ?? "", env.SETTINGS_KEY)).toBe(KEY);
  expect((await admin.get(SYSTEM)).json.YOLINK_UAC_KEY).toBe(MASKED);
  await admin.post(SYSTEM, { YOLINK_UAC_KEY: MASKED, HUB_OFFLINE_ALERT_MIN: 20 });
  expect(await storedKey()).toBe(sealed);
  await admin.post(SYSTEM, { YOLINK_UAC_KEY: "" });
  expect((await admin.get(SYSTEM)).json.YOLINK_UAC_KEY).toBe("");
  expect(JSON.stringify(await audits())).not.toMatch(/topsecret|v1\./);
});

test("a key that is sent once more, as after a lost answer, is not stored or logged as another one", async () => {
  for (const [path, body] of [
    [SYSTEM, { YOLINK_UAC_KEY: KEY }],
    [MESSAGES, POSTMARK],
  ] as const) {
    await admin.post(path, body);
    const before = await fingerprint();
    expect((await admin.post(path, body)).json).toEqual({ success: true });
    expect(await fingerprint()).toEqual(before);
  }
});

test("a mask reveals little of a short key and nothing of its secret", () => {
  expect(["uac.ab", "uac.abcdef", "uac.a:topsecret", KEY].map(maskKey)).toEqual([
    "uac.…••••",
    "uac.ab…••••",
    "uac.…••••",
    MASKED,
  ]);
});

test("the activity log tells whether a key was set, replaced or removed, and not the key", async () => {
  const replaced = "uac.ua_4F2A91B7C3D8E6:sec_v2_topsecret";
  const changes = ["", KEY, replaced, MASKED, ""].map((YOLINK_UAC_KEY, n) => ({
    YOLINK_UAC_KEY,
    SESSION_IDLE_MIN: 100 + n,
  }));
  const told: string[][] = [];
  for (const change of changes) {
    await admin.post(SYSTEM, change);
    const { before, after } = JSON.parse((await audits()).at(-1)?.details ?? "{}");
    told.push([before.YOLINK_UAC_KEY, after.YOLINK_UAC_KEY]);
  }
  expect(told.slice(1)).toEqual([
    ["", "*** (new)"],
    ["***", "*** (new)"],
    ["***", "***"],
    ["***", ""],
  ]);
});

test("a key sealed with a lost SETTINGS_KEY still shows as set", async () => {
  await admin.post(SYSTEM, { YOLINK_UAC_KEY: KEY });
  await env.DB.prepare("UPDATE settings SET value = '\"v1.AAAA\"' WHERE key = 'YOLINK_UAC_KEY'").run();
  expect((await admin.get(SYSTEM)).json.YOLINK_UAC_KEY).toBe("uac.…••••");
});

test("cloud mode requires a key, stored before or sent along, as long as it is chosen", async () => {
  const refused = await admin.post(SYSTEM, { PROVIDER_MODE: "cloud" });
  expect([refused.status, refused.json.detail]).toEqual([422, "Cloud mode needs the UAC key"]);
  expect((await admin.post(SYSTEM, { PROVIDER_MODE: "cloud", YOLINK_UAC_KEY: KEY })).status).toBe(200);
  expect((await admin.post(SYSTEM, { YOLINK_UAC_KEY: "" })).status).toBe(422);
  expect((await admin.post(SYSTEM, { YOLINK_UAC_KEY: "", PROVIDER_MODE: "hybrid" })).status).toBe(200);
});

test("accepts a loopback cloud URL in the demo only", async () => {
  for (const YOLINK_CLOUD_BASE of ["http://127.0.0.1:9000", "http://localhost:9000/open", "http://[::1]:9000"]) {
    expect((await admin.post(SYSTEM, { YOLINK_CLOUD_BASE })).status).toBe(422);
    expect((await as("admin", { demo: true }).post(SYSTEM, { YOLINK_CLOUD_BASE })).status).toBe(200);
  }
});

const BASE = "The cloud base URL must be https://api.yosmart.com or https://api-eu.yosmart.com";
const PHONES = "Phone numbers must be E.164, such as +12025550123, separated by commas";
const BLACKOUT = "The blackout must be two different times as HH:MM-HH:MM, or empty";

test.each([
  [SYSTEM, { YOLINK_UAC_KEY: "abc" }, "The UAC key must be 'uac.' followed by characters"],
  [SYSTEM, { YOLINK_UAC_KEY: "uac." }, "The UAC key must be 'uac.' followed by characters"],
  [SYSTEM, { YOLINK_UAC_KEY: "uac.a b" }, "The UAC key must be 'uac.' followed by characters"],
  [SYSTEM, { YOLINK_UAC_KEY: null }, "The UAC key must be 'uac.' followed by characters"],
  [SYSTEM, { YOLINK_UAC_KEY: `uac.${"x".repeat(500)}` }, "The UAC key may have at most 500 characters"],
  [SYSTEM, { YOLINK_CLOUD_BASE: "" }, BASE],
  [SYSTEM, { YOLINK_CLOUD_BASE: "http://api.yosmart.com" }, BASE],
  [SYSTEM, { YOLINK_CLOUD_BASE: "https://api.yosmart.com.evil.example" }, BASE],
  [SYSTEM, { YOLINK_CLOUD_BASE: "https://evil.example/api.yosmart.com" }, BASE],
  [SYSTEM, { YOLINK_CLOUD_BASE: "https://api.yosmart.com@evil.example" }, BASE],
  [SYSTEM, { YOLINK_CLOUD_BASE: "https://user:pass@api.yosmart.com" }, BASE],
  [SYSTEM, { YOLINK_CLOUD_BASE: "https://api.yosmart.com:8443" }, BASE],
  [SYSTEM, { YOLINK_CLOUD_BASE: "https://api.yosmart.com?x=1" }, BASE],
  [SYSTEM, { YOLINK_CLOUD_BASE: "javascript:alert(1)" }, BASE],
  [SYSTEM, { YOLINK_CLOUD_BASE: 5 }, BASE],
  [SYSTEM, { PROVIDER_MODE: "real" }, "Provider mode must be one of: mock, cloud, local, hybrid"],
  [
    SYSTEM,
    { APP_TIMEZONE: "Europe/Berlin" },
    "Time zone must be one of: America/Los_Angeles, America/Denver, America/Chicago, America/New_York, UTC",
  ],
  [SYSTEM, { HUB_CHECK_INTERVAL_SEC: 29 }, "Hub check interval must be a whole number from 30 to 86400"],
  [SYSTEM, { HUB_CHECK_INTERVAL_SEC: 86_401 }, "Hub check interval must be a whole number from 30 to 86400"],
  [SYSTEM, { HUB_CHECK_INTERVAL_SEC: "60" }, "Hub check interval must be a whole number from 30 to 86400"],
  [SYSTEM, { HUB_CHECK_INTERVAL_SEC: null }, "Hub check interval must be a whole number from 30 to 86400"],
  [SYSTEM, { HUB_OFFLINE_ALERT_MIN: 0 }, "Offline alert must be a whole number from 1 to 1440"],
  [SYSTEM, { HUB_OFFLINE_ALERT_MIN: 1.5 }, "Offline alert must be a whole number from 1 to 1440"],
  [GUARDRAILS, { HARD_CURFEW_OFF: "24:00" }, "The curfew must be a time as HH:MM, or empty"],
  [GUARDRAILS, { HARD_CURFEW_OFF: "9:00" }, "The curfew must be a time as HH:MM, or empty"],
  [GUARDRAILS, { HARD_CURFEW_OFF: 2345 }, "The curfew must be a time as HH:MM, or empty"],
  [GUARDRAILS, { BLACKOUT_WINDOW: "05:00-05:00" }, BLACKOUT],
  [GUARDRAILS, { BLACKOUT_WINDOW: "00:00" }, BLACKOUT],
  [GUARDRAILS, { BLACKOUT_WINDOW: "00:00-05:60" }, BLACKOUT],
  [GUARDRAILS, { BLACKOUT_WINDOW: ["00:00", "05:00"] }, BLACKOUT],
  [GUARDRAILS, { MAX_ON_DURATION_MIN: 0 }, "Max ON duration must be a whole number from 1 to 1440"],
  [GUARDRAILS, { MAX_ON_DURATION_MIN: 1441 }, "Max ON duration must be a whole number from 1 to 1440"],
  [GUARDRAILS, { WATCHDOG_ENABLED: "true" }, "Watchdog must be true or false"],
  [GUARDRAILS, { NOTIFY_ON_FAIL: 1 }, "Notify on fail must be true or false"],
  [GUARDRAILS, { WATCHDOG_INTERVAL_SEC: 14 }, "Watchdog interval must be a whole number from 15 to 3600"],
  [GUARDRAILS, { YOLINK_VERIFY_DELAY_SEC: 61 }, "Verify delay must be a whole number from 1 to 60"],
  [GUARDRAILS, { RETRY_BACKOFFS_SEC: "10,30" }, "Retry backoffs must be a list of seconds"],
  [GUARDRAILS, { RETRY_BACKOFFS_SEC: [10, "30"] }, "Each retry backoff must be a whole number from 1 to 3600"],
  [GUARDRAILS, { RETRY_BACKOFFS_SEC: [0] }, "Each retry backoff must be a whole number from 1 to 3600"],
  [GUARDRAILS, { RETRY_BACKOFFS_SEC: Array(11).fill(1) }, "There may be at most 10 retry backoffs"],
  [GUARDRAILS, { NOTIFY_SMS_TO: "555-0123" }, PHONES],
  [GUARDRAILS, { NOTIFY_SMS_TO: "+12025550123;+12025550124" }, PHONES],
  [GUARDRAILS, { NOTIFY_SMS_TO: "+0202555012" }, PHONES],
  [GUARDRAILS, { NOTIFY_SMS_TO: ["+12025550123"] }, PHONES],
])("%s refuses %j with a message and changes nothing", async (path, input, detail) => {
  const before = await fingerprint();
  const refused = await admin.post(path, { HUB_CHECK_INTERVAL_SEC: 77, MAX_ON_DURATION_MIN: 77, ...input });
  expect([refused.status, refused.json.detail]).toEqual([422, detail]);
  expect(await fingerprint()).toEqual(before);
});

test.each([
  { HARD_CURFEW_OFF: "" },
  { BLACKOUT_WINDOW: "" },
  { BLACKOUT_WINDOW: "22:00-04:30" },
  { RETRY_BACKOFFS_SEC: [] },
  { RETRY_BACKOFFS_SEC: [1, 3600] },
  { WATCHDOG_ENABLED: false },
  { NOTIFY_SMS_TO: "" },
])("the guardrails accept %j", async (input) => {
  expect((await admin.post(GUARDRAILS, input)).status).toBe(200);
  expect((await admin.get(GUARDRAILS)).json).toEqual({ ...GUARDRAIL_DEFAULTS, ...input });
});

test("stores phone numbers without the spaces between them", async () => {
  await admin.post(GUARDRAILS, { NOTIFY_SMS_TO: " +12025550123 , +4915112345678," });
  expect((await admin.get(GUARDRAILS)).json.NOTIFY_SMS_TO).toBe("+12025550123,+4915112345678");
});

test("only admins read and write settings and guardrails", async () => {
  const before = await fingerprint();
  for (const name of ["manager", "employee", "auditor"] as const) {
    for (const path of [SYSTEM, GUARDRAILS]) {
      expect((await as(name).get(path)).json).toEqual({ detail: "Permission denied" });
      expect((await as(name).post(path, { NOTIFY_ON_FAIL: false })).status).toBe(403);
    }
  }
  expect(await fingerprint()).toEqual(before);
});

const MESSAGES = "/admin/settings/messages";
const POSTMARK = {
  EMAIL_PROVIDER: "postmark",
  EMAIL_API_KEY: "pm-topsecret",
  EMAIL_FROM: "lights@city.example",
  NOTIFY_EMAIL_TO: " ana@city.example,ben@city.example,, ana@city.example",
};
const refusals = async (input: object) => Object.values((await admin.post(MESSAGES, input)).json.errors ?? {});

test("an e-mail key is stored sealed, shown as a mask, kept by the mask and never audited", async () => {
  expect((await admin.post(MESSAGES, POSTMARK)).json).toEqual({ success: true });
  const shown = (await admin.get(MESSAGES)).json;
  expect(shown).toEqual({
    ...POSTMARK,
    EMAIL_API_KEY: "••••••••",
    NOTIFY_EMAIL_TO: "ana@city.example,ben@city.example",
    ESCALATE_AFTER_MIN: 0,
    ESCALATE_TO: "",
    EMAIL_API_BASE: "",
  });
  expect((await admin.post(MESSAGES, { ...shown, EMAIL_FROM: "parks@city.example" })).status).toBe(200);
  const row = await env.DB.prepare("SELECT value FROM settings WHERE key = 'EMAIL_API_KEY'").first<string>("value");
  expect(await open(JSON.parse(row ?? ""), env.SETTINGS_KEY)).toBe("pm-topsecret");
  expect(JSON.stringify(await fingerprint())).not.toContain("topsecret");
  expect((await admin.get(SYSTEM)).json).toEqual(SYSTEM_DEFAULTS);
});

test("e-mail that lacks its key or its sender, or would give its key to another service, is not saved", async () => {
  expect(await refusals({ EMAIL_PROVIDER: "resend" })).toEqual(["E-mail needs the service's API key"]);
  expect(await refusals({ ...POSTMARK, EMAIL_FROM: "" })).toEqual(["E-mail needs a sender"]);
  expect(await refusals({ ...POSTMARK, NOTIFY_EMAIL_TO: "ana" })).toEqual([
    "Recipients must be e-mail addresses, separated by commas",
  ]);
  expect(await refusals({ ...POSTMARK, EMAIL_API_KEY: "two words" })).toHaveLength(1);
  await admin.post(MESSAGES, POSTMARK);
  expect(await refusals({ EMAIL_PROVIDER: "sendgrid" })).toEqual(["Another service needs a key of its own"]);
});

test("an e-mail key goes to no other service after e-mail was switched off, and to its own again", async () => {
  await admin.post(MESSAGES, POSTMARK);
  for (const _ of ["off", "off again"]) expect(await refusals({ EMAIL_PROVIDER: "off" })).toEqual([]);
  expect(await refusals({ EMAIL_PROVIDER: "sendgrid" })).toEqual(["Another service needs a key of its own"]);
  expect(await refusals({ EMAIL_PROVIDER: "postmark" })).toEqual([]);
  await admin.post(MESSAGES, { EMAIL_PROVIDER: "off", EMAIL_API_KEY: "not-for-a-service-yet" });
  expect(await refusals({ EMAIL_PROVIDER: "resend" })).toEqual([]);
});

test("a key that is typed as another admin goes over to another service is kept for the service that its form showed", async () => {
  await admin.post(MESSAGES, POSTMARK);
  const shown = (await admin.get(MESSAGES)).json;
  await admin.post(MESSAGES, { EMAIL_PROVIDER: "sendgrid", EMAIL_API_KEY: "theirs" });
  const form = new FormData();
  const typed = { ...shown, EMAIL_API_KEY: "pm-renewed", shown: JSON.stringify(shown) };
  for (const [name, value] of Object.entries(typed)) form.set(name, String(value));
  await emailHandlers(servicesOf("admin"), form)["save"]?.run();
  expect((await admin.get(MESSAGES)).json).toEqual(shown);
});

test("escalation needs people in their order, each with an address that can be reached", async () => {
  expect(await refusals({ ESCALATE_AFTER_MIN: 15 })).toEqual(["Escalation needs at least one person"]);
  expect(await refusals({ ESCALATE_TO: "ana, +1310" })).toHaveLength(1);
  expect(await refusals({ ESCALATE_AFTER_MIN: 1_441 })).toHaveLength(1);
  await admin.post(MESSAGES, { ESCALATE_AFTER_MIN: 15, ESCALATE_TO: "ben@city.example, +13105550101" });
  expect((await admin.get(MESSAGES)).json.ESCALATE_TO).toBe("ben@city.example,+13105550101");
});

test("the e-mail service's address is fixed, but for a loopback address in the demo", async () => {
  const base = { EMAIL_API_BASE: "http://127.0.0.1:9" };
  expect((await admin.post(MESSAGES, base)).status).toBe(422);
  expect((await as("admin", { demo: true }).post(MESSAGES, base)).status).toBe(200);
  expect((await as("admin", { demo: true }).post(MESSAGES, { EMAIL_API_BASE: "https://evil.example" })).status).toBe(
    422,
  );
});

test("a test e-mail goes by way of the engine and is audited", async () => {
  asked.length = 0;
  const { json } = await admin.post(`${MESSAGES}/test`, { to: "ana@city.example" });
  expect(json).toEqual({ success: true, detail: "The e-mail service took it" });
  expect(asked).toEqual([{ verb: "testEmail", org_id: "city", to: "ana@city.example" }]);
  expect((await audits()).at(-1)).toMatchObject({ action: "test", resource_type: "settings" });
});

test("a request reads the settings once, again after it has saved them, and again where D1 failed", async () => {
  const { db, trips } = countedDatabase();
  const { settings } = servicesOf("admin", { db });
  expect(await Promise.all([settings.find(), settings.guardrails(), settings.findSystem()])).toMatchObject([
    { APP_TIMEZONE: "America/Los_Angeles" },
    { MAX_ON_DURATION_MIN: 240 },
    { HUB_CHECK_INTERVAL_SEC: 180 },
  ]);
  expect(trips()).toBe(1);
  await settings.saveGuardrails({ MAX_ON_DURATION_MIN: 90 });
  expect(await settings.guardrails()).toMatchObject({ MAX_ON_DURATION_MIN: 90 });

  const wire = new Wire(env.DB, () => Promise.resolve());
  const later = servicesOf("admin", { db: database(wire.d1) }).settings;
  wire.state = { kind: "down" };
  await expect(later.find()).rejects.toThrow("Failed query");
  wire.state = { kind: "up" };
  expect(await later.guardrails()).toMatchObject({ MAX_ON_DURATION_MIN: 90 });
});

test("cloud mode is refused where its key is removed at the same moment", async () => {
  await admin.post(SYSTEM, { YOLINK_UAC_KEY: KEY });
  const late = as("admin", { db: interruptedBy("DELETE FROM settings WHERE key = 'YOLINK_UAC_KEY'") });
  const { status, json } = await late.post(SYSTEM, { PROVIDER_MODE: "cloud" });
  expect([status, json.detail]).toEqual([422, "Cloud mode needs the UAC key"]);
  expect((await admin.get(SYSTEM)).json.PROVIDER_MODE).toBe("mock");
});

test("people who save different settings at the same moment all have their way, and the log tells each change once", async () => {
  const changes = [{ HUB_CHECK_INTERVAL_SEC: 60 }, { HUB_OFFLINE_ALERT_MIN: 20 }, { SESSION_IDLE_MIN: 70 }];
  const answers = await Promise.all(changes.map((change) => admin.post(SYSTEM, change)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await admin.get(SYSTEM)).json).toMatchObject(Object.assign({}, ...changes));
  const told = (await audits()).slice(-3).map(({ details }) => JSON.parse(details));
  expect(told[0].before).toEqual(SYSTEM_DEFAULTS);
  expect(told[1].before).toEqual(told[0].after);
  expect(told[2].before).toEqual(told[1].after);
});

test("a setting that others change over and over is refused with a sentence", async () => {
  const often =
    "INSERT INTO settings (org_id, key, value) VALUES ('city', 'SESSION_IDLE_MIN', '61') ON CONFLICT DO UPDATE SET value = value + 1";
  const { status, json } = await as("admin", { db: interruptedBy(often) }).post(SYSTEM, { HUB_CHECK_INTERVAL_SEC: 60 });
  expect([status, json.detail]).toEqual([
    409,
    "This setting was changed by someone else meanwhile. Reload and try again.",
  ]);
});
