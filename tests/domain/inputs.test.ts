import { expect, test } from "vitest";
import type { z } from "zod";
import { areaInput } from "#domain/organization/area-schema";
import { pingInput, statusInput, testInput } from "#domain/hubs/connectivity-schema";
import { deviceInput } from "#domain/light/device-schema";
import { guardrailSettingsInput } from "#domain/guardrails/guardrail-settings-schema";
import { hubInput } from "#domain/hubs/hub-schema";
import { areaQuery, deviceQuery, hubQuery, scheduleQuery, workorderQuery, words } from "#domain/lists/list-query";
import { historyQuery, logQuery, schedulerEventQuery } from "#domain/lists/log-query";
import { loginInput } from "#domain/organization/login-schema";
import { departmentInput, memberInput, userChange, userInvite } from "#domain/organization/people-schema";
import { deviceScheduleInput, scheduleInput, scheduleProblem } from "#domain/schedule/schedule-schema";
import { isCloudBase, isMask, maskKey, systemSettingsInput } from "#domain/organization/settings-schema";
import { toggleInput } from "#domain/resolve/toggle-schema";
import { workorderInput } from "#domain/alarms/workorder-schema";
import { passwordChange as passwordChangeOf } from "#worker/auth/password-policy";

const passwordChange = passwordChangeOf({ email: "ada@parks.example", organizations: ["City of Elmwood"] });

/** The message that refuses an input; null if it is valid. */
function refusal(schema: z.ZodType, input: unknown): string | null {
  const parsed = schema.safeParse(input);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? "");
}

function field(schema: z.ZodType, more: object, name: string) {
  return {
    /** The value as it is stored. */
    taken: (value: unknown) => schema.parse({ ...more, [name]: value }),
    refused: (value: unknown) => refusal(schema, { ...more, [name]: value }),
  };
}

/** Expects a text of at most `max` characters, without the spaces around it. */
function expectText(schema: z.ZodType, more: object, name: string, noun: string, max: number): void {
  const { taken, refused } = field(schema, more, name);
  expect(taken(` ${"x".repeat(max)} `)).toHaveProperty(name, "x".repeat(max));
  expect(refused("x".repeat(max + 1))).toBe(`${noun} may have at most ${max} characters`);
}

/** Expects an optional text: empty and null become null, absent stays absent. */
function expectOptional(schema: z.ZodType, more: object, name: string, noun: string, max: number): void {
  expectText(schema, more, name, noun, max);
  const { taken, refused } = field(schema, more, name);
  expect(taken("  ")).toHaveProperty(name, null);
  expect(taken(null)).toHaveProperty(name, null);
  expect(schema.parse(more)).not.toHaveProperty(name);
  expect(refused(7)).toBe(`${noun} must be text`);
}

/** Expects a required text or id. */
function expectRequired(schema: z.ZodType, whole: Record<string, unknown>, name: string, sentence: string): void {
  const { [name]: _left_out, ...rest } = whole;
  for (const input of [rest, { ...whole, [name]: "  " }, { ...whole, [name]: 7 }, { ...whole, [name]: null }]) {
    expect(refusal(schema, input)).toBe(sentence);
  }
}

function expectId(schema: z.ZodType, whole: Record<string, unknown>, name: string, sentence: string): void {
  expectRequired(schema, whole, name, sentence);
  const { taken, refused } = field(schema, whole, name);
  expect(taken(` ${"x".repeat(120)} `)).toHaveProperty(name, "x".repeat(120));
  expect(refused("x".repeat(121))).toBe(sentence);
}

function expectWords(schema: z.ZodType, more: object, name: string, noun: string, words: string[]): void {
  const { taken, refused } = field(schema, more, name);
  for (const word of words) expect(taken(word)).toHaveProperty(name, word);
  expect(refused("maybe")).toBe(`${noun} must be one of: ${words.join(", ")}`);
}

function expectWhole(schema: z.ZodType, name: string, noun: string, min: number, max: number): void {
  const { taken, refused } = field(schema, {}, name);
  for (const number of [min, max]) expect(taken(number)).toHaveProperty(name, number);
  expect(taken(undefined)).toEqual({});
  for (const wrong of [min - 1, max + 1, min + 0.5, String(min)]) {
    expect(refused(wrong)).toBe(`${noun} must be a whole number from ${min} to ${max}`);
  }
}

function expectFlag(schema: z.ZodType, more: object, name: string, noun: string): void {
  const { taken, refused } = field(schema, more, name);
  for (const yes of [true, "on", "true"]) expect(taken(yes)).toHaveProperty(name, true);
  for (const no of [false, "off", "false"]) expect(taken(no)).toHaveProperty(name, false);
  expect(refused("yes")).toBe(`${noun} must be true or false`);
}

test("an area needs a name; its type, place and switch may be left out", () => {
  const area = { name: "Field 3" };
  expectRequired(areaInput, area, "name", "Area name is required");
  expectText(areaInput, area, "name", "Area name", 120);
  expectWords(areaInput, area, "type", "Area type", ["park", "field", "river", "path", "other"]);
  expectFlag(areaInput, area, "active", "Active");
  expect(areaInput.parse(area)).toEqual(area);
  expect(refusal(areaInput, null)).toBe("Area name is required");
});

test("an area's latitude and longitude count only if both are filled", () => {
  const { taken, refused } = field(areaInput, { name: "Field" }, "location");
  const place = (location: unknown) => areaInput.parse({ name: "Field", location }).location;
  expect(place({ address: " 1 Elm St ", lat: "34.05", lon: -118 })).toEqual({
    address: "1 Elm St",
    lat: 34.05,
    lon: -118,
  });
  expect(place({ address: "1 Elm St", lat: 34, lon: " " })).toEqual({ address: "1 Elm St" });
  expect(place({ address: "", lat: null, lon: 5 })).toBeNull();
  expect(place({ lat: 0, lon: 0 })).toEqual({ lat: 0, lon: 0 });
  expect(place(null)).toBeNull();
  expect(taken({ lat: 90, lon: -180 })).toHaveProperty("location.lat", 90);
  expect(taken({ lat: -90, lon: 180 })).toHaveProperty("location.lon", 180);
  expect(refused({ lat: 90.1 })).toBe("Latitude must be a number from -90 to 90");
  expect(refused({ lat: -90.1 })).toBe("Latitude must be a number from -90 to 90");
  expect(refused({ lon: "west" })).toBe("Longitude must be a number from -180 to 180");
  expect(refused({ lon: -180.1 })).toBe("Longitude must be a number from -180 to 180");
  expect(refused({ lon: true })).toBe("Longitude must be a number from -180 to 180");
  expect(refused({ address: "x".repeat(201) })).toBe("Address may have at most 200 characters");
  expect(refused("Elm St")).toBe("Location must have an address, a latitude and a longitude");
});

test("a hub needs a name and an area, and keeps within its lengths", () => {
  const hubs = hubInput({ loopback: false });
  const hub = { name: "Hub", area_id: "a" };
  expect(hubs.parse(hub)).toEqual(hub);
  for (const name of ["name", "area_id"]) expectRequired(hubs, hub, name, "Hub name and area are required");
  expectText(hubs, hub, "name", "Hub name", 120);
  expectId(hubs, hub, "area_id", "Hub name and area are required");
  expectWords(hubs, hub, "connection_mode", "Connection mode", ["local", "cloud", "hybrid"]);
  expectOptional(hubs, hub, "notes", "Notes", 2000);
  expectOptional(hubs, hub, "local_client_id", "Local client id", 500);
  expectOptional(hubs, hub, "local_client_secret", "Local client secret", 500);
  expect(refusal(hubs, null)).toBe("Hub name and area are required");
});

test("a hub's port is 1 to 65535, or 1080 if it is not a number", () => {
  const { taken, refused } = field(hubInput({ loopback: false }), { name: "Hub", area_id: "a" }, "port");
  for (const port of [1, 65_535, "8080"]) expect(taken(port)).toHaveProperty("port", Number(port));
  for (const none of ["", "  ", "soon", null, Number.NaN, {}]) expect(taken(none)).toHaveProperty("port", 1080);
  for (const wrong of [0, 65_536, 80.5, "-1"]) {
    expect(refused(wrong)).toBe("The port must be a whole number from 1 to 65535");
  }
});

test("a hub's address is IPv4 in dotted form, and not a reserved one", () => {
  const at = (text: string, loopback = false) =>
    refusal(hubInput({ loopback }), { name: "Hub", area_id: "a", ip_address: text });
  const good = ["10.0.0.7", " 192.168.1.255 ", "223.0.0.1", "240.0.0.1", "169.253.0.1", "169.255.0.1", "1.254.0.0"];
  for (const text of good) expect(at(text)).toBeNull();
  const bad = [
    "10.0.0",
    "10.0.0.7.1",
    "10.0.0.256",
    "10.0.0.07",
    "10.0.0.x",
    "x10.0.0.7",
    "10.0.0.7x",
    "10.0.0.0001",
    "0.0.0.1",
    "127.0.0.1",
    "169.254.1.1",
    "224.0.0.1",
    "239.255.255.255",
    "255.255.255.255",
  ];
  for (const text of bad) expect(at(text)).toBe("Please enter a valid IP address");
  expect(at("127.0.0.1", true)).toBeNull();
  const { taken, refused } = field(hubInput({ loopback: false }), { name: "Hub", area_id: "a" }, "ip_address");
  expect(taken(" 10.0.0.7 ")).toHaveProperty("ip_address", "10.0.0.7");
  expect(taken(" ")).toHaveProperty("ip_address", null);
  expect(taken(null)).toHaveProperty("ip_address", null);
  expect(refused(7)).toBe("Please enter a valid IP address");
});

test("a device needs a name and an area, and keeps within its lengths", () => {
  const device = { name: "Lamp", area_id: "a" };
  expect(deviceInput.parse(device)).toEqual(device);
  expectText(deviceInput, device, "name", "Device name", 120);
  for (const name of ["name", "area_id"])
    expectRequired(deviceInput, device, name, "Device name and area are required");
  expectId(deviceInput, device, "area_id", "Device name and area are required");
  expectOptional(deviceInput, device, "hub_id", "Hub", 120);
  expectOptional(deviceInput, device, "dept_id", "Department", 120);
  expectOptional(deviceInput, device, "model", "Model", 120);
  expectOptional(deviceInput, device, "cloud_device_id", "Cloud ID", 120);
  expectOptional(deviceInput, device, "local_ref", "Local reference", 120);
  expectOptional(deviceInput, device, "on_payload", "ON payload", 2000);
  expectOptional(deviceInput, device, "off_payload", "OFF payload", 2000);
  expectOptional(deviceInput, device, "notes", "Notes", 2000);
  expect(refusal(deviceInput, null)).toBe("Device name and area are required");
});

test("a toggle is on or off", () => {
  expectWords(toggleInput, {}, "action", "Action", ["on", "off", "auto"]);
  expect(refusal(toggleInput, null)).toBe("Action must be one of: on, off, auto");
});

test("a line break is one character, however a form or a program sends it", () => {
  const { taken, refused } = field(workorderInput, { title: "Bulb" }, "description");
  expect(taken("Ladder\r\nis\rneeded\n")).toHaveProperty("description", "Ladder\nis\nneeded");
  const longest = `x${"\r\n".repeat(4_998)}y`;
  expect(taken(longest)).toHaveProperty("description", longest.replaceAll("\r", ""));
  expect(refused(`${longest}z`)).toBe("Description may have at most 5000 characters");
});

test("a work order needs a title, and keeps within its lengths", () => {
  const order = { title: "Bulb" };
  expect(workorderInput.parse(order)).toEqual(order);
  expectRequired(workorderInput, order, "title", "Workorder title is required");
  expectText(workorderInput, order, "title", "Title", 200);
  expectOptional(workorderInput, order, "description", "Description", 5000);
  expectWords(workorderInput, order, "status", "Status", ["open", "in_progress", "completed", "canceled"]);
  expectWords(workorderInput, order, "priority", "Priority", ["low", "medium", "high", "urgent"]);
  for (const [name, noun] of [
    ["dept_id", "Department"],
    ["device_id", "Device"],
    ["area_id", "Area"],
    ["assigned_to", "Assignee"],
  ] as const) {
    expectOptional(workorderInput, order, name, noun, 120);
  }
  expect(refusal(workorderInput, null)).toBe("Workorder title is required");
});

test("departments, members and people name their required fields", () => {
  expectRequired(departmentInput, { name: "Sports" }, "name", "Department name is required");
  expectText(departmentInput, {}, "name", "Department name", 120);
  expectId(memberInput, { user_id: "u" }, "user_id", "Please select a user");
  expect(memberInput.parse({ user_id: "u" })).toEqual({ user_id: "u", role: "dept_staff" });
  expectWords(memberInput, { user_id: "u" }, "role", "Role", ["dept_admin", "dept_staff", "dept_auditor"]);
  expect(memberInput.parse({ user_id: "u", dept_id: "d" })).toHaveProperty("dept_id", "d");
  expect(refusal(memberInput, { user_id: "u", dept_id: 7 })).toBe("Department must be an id");
  expectRequired(userInvite, { email: "a@b.example" }, "email", "Email is required");
  expect(userInvite.parse({ email: "a@b.example" })).toEqual({ email: "a@b.example", role: "employee" });
  const roles = ["org_admin", "admin", "manager", "employee"];
  expectWords(userInvite, { email: "a@b.example" }, "role", "Role", roles);
  expectWords(userChange, {}, "role", "Role", roles);
  expectFlag(userChange, {}, "active", "Active");
  expect(userChange.parse({})).toEqual({});
});

test("signing in needs an e-mail and a password; the e-mail is kept in lower case", () => {
  const login = { email: " Ann@Parks.Example ", password: " x " };
  expect(loginInput.parse(login)).toEqual({ email: "ann@parks.example", password: " x " });
  expectRequired(loginInput, login, "email", "Email is required");
  for (const password of ["", undefined, 7]) {
    expect(refusal(loginInput, { ...login, password })).toBe("Password is required");
  }
  expect(refusal(loginInput, { ...login, password: "x".repeat(1000) })).toBeNull();
  expect(refusal(loginInput, { ...login, password: "x".repeat(1001) })).toBe("Password is too long");
  const long = (n: number) => `${"a@".padStart(n - 60, "b")}${"c.".repeat(28)}exam`;
  expect(long(254)).toHaveLength(254);
  for (const email of ["ann", "ann@", `x${long(300)}`]) {
    expect(refusal(loginInput, { ...login, email })).toBe("Please enter a valid email address");
  }
});

test("a new password has 12 to 128 characters and is not a common one", () => {
  const tried = (new_password: unknown) => refusal(passwordChange, { current_password: "old", new_password });
  for (const good of [
    "rainy gravel",
    "x".repeat(5) + "the long way round",
    "ab".repeat(3) + "cdefgxyzq",
    "r4iny".repeat(2) + "gravel".repeat(19) + "tail",
  ]) {
    expect(tried(good)).toBeNull();
  }
  expect(tried("rainy grave")).toBe("The password needs at least 12 characters");
  expect(tried(`${"rainy gravel ".repeat(9)}rainy grave`)).toBeNull();
  expect(tried(`${"rainy gravel ".repeat(9)}rainy gravel`)).toBe("The password may have at most 128 characters");
  const common = [
    "passwordpassword",
    "PasswordPassword",
    "1234!password!99",
    "lamplighter-demo",
    "correcthorsebatterystaple",
    "xxxxxxxxxxxxx",
    "abababababab",
    "abcabcabcabc",
    "abcdabcdabcd",
    "qwertyuiopas",
    "345678901234",
    "876543210987",
    "defghijklmnop",
    "1qaz2wsx3edc4",
    "!!!123456789012california000",
  ];
  for (const text of common)
    expect([text, tried(text)]).toEqual([text, "This password is too common. Please choose another"]);
  expect(tried(undefined)).toBe("New password is required");
  const now = (current_password: unknown) =>
    refusal(passwordChange, { current_password, new_password: "rainy gravel" });
  for (const none of ["", undefined]) expect(now(none)).toBe("Current password is required");
  expect(now("x".repeat(1001))).toBe("Password is too long");
  expect(now("x".repeat(1000))).toBeNull();
});

const booking = {
  title: "Practice",
  area_id: "a",
  device_id: "d",
  start_at: "2026-07-01T18:00:00Z",
  end_at: "2026-07-01T22:00:00Z",
};

test("a schedule needs a title, an area, a device and its times", () => {
  expect(scheduleInput.parse({ ...booking, start_at: " 2026-07-01T11:00-07:00 " })).toEqual({
    ...booking,
    start_at: "2026-07-01T18:00:00.000Z",
    end_at: "2026-07-01T22:00:00.000Z",
  });
  expectRequired(scheduleInput, booking, "title", "Title, area, and device are required");
  expectText(scheduleInput, booking, "title", "Title", 200);
  for (const name of ["area_id", "device_id"]) {
    expectId(deviceScheduleInput, booking, name, "Title, area, and device are required");
  }
  for (const name of ["start_at", "end_at"]) {
    expectRequired(scheduleInput, booking, name, "Start and end date/time are required");
  }
  expectOptional(scheduleInput, booking, "description_short", "Description", 5000);
  expect(refusal(scheduleInput, { ...booking, start_at: "tomorrow" })).toBe("Start must be a date and time");
  expect(refusal(scheduleInput, { ...booking, end_at: "2026-07-02" })).toBe("End must be a date and time");
  const zones = ["America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York", "UTC"];
  expectWords(scheduleInput, booking, "timezone", "Time zone", zones);
  expect(refusal(scheduleInput, null)).toBe("Title, area, and device are required");
});

test("a schedule ends after its start, at most a day later", () => {
  const { refused } = field(scheduleInput, booking, "end_at");
  expect(refused(booking.start_at)).toBe("End time must be after start time");
  expect(refused("2026-07-01T18:00:00.001Z")).toBeNull();
  expect(refused("2026-07-02T18:00:00Z")).toBeNull();
  expect(refused("2026-07-02T18:00:00.001Z")).toBe("A schedule may last at most 24 hours");
  const parsed = scheduleInput.safeParse({ ...booking, end_at: booking.start_at });
  expect(parsed.error?.issues[0]?.path).toEqual(["end_at"]);
  expect(scheduleInput.safeParse({ ...booking, end_at: "2026-07-09T18:00:00Z" }).error?.issues[0]?.path).toEqual([
    "end_at",
  ]);
});

test("a schedule repeats daily or weekly, with an interval, days, a count or an end", () => {
  const { taken, refused } = field(scheduleInput, booking, "rrule");
  for (const rrule of ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10", "FREQ=DAILY;UNTIL=20260801"]) {
    expect(taken(` ${rrule} `)).toHaveProperty("rrule", rrule);
  }
  for (const none of ["", "  ", null]) expect(taken(none)).toHaveProperty("rrule", null);
  for (const rrule of ["FREQ=WEEKLY", "freq=weekly;BYDAY=", "BYDAY=;FREQ=WEEKLY", "FREQ=WEEKLY;COUNT=3"]) {
    expect(refused(rrule)).toBe("Please select at least one day for weekly recurring");
  }
  const unsupported =
    "This recurrence is not supported: repeat daily or weekly, up to 100 times, until a date or for ever";
  for (const rrule of [
    "FREQ=HOURLY",
    "FREQ=DAILY;COUNT=101",
    "FREQ=WEEKLY;BYDAY=XX",
    "soon",
    7,
    `FREQ=DAILY;UNTIL=${"2".repeat(190)}`,
  ]) {
    expect(refused(rrule)).toBe(unsupported);
  }
});

test("a schedule begins within ten years, has an occurrence and is not over", () => {
  const now = new Date("2026-07-01T12:00:00Z");
  const problem = (start_at: string, rrule: string | null = null) =>
    scheduleProblem(
      { start_at, end_at: new Date(Date.parse(start_at) + 3_600_000).toISOString(), rrule, timezone: "UTC" },
      now,
    );
  const far = { field: "start_at", detail: "The start must be within ten years from now" };
  expect(problem("2036-07-01T12:00:00.000Z")).toBeNull();
  expect(problem("2036-07-01T12:00:00.001Z")).toEqual(far);
  expect(problem("2016-07-01T12:00:00.000Z", "FREQ=DAILY")).toBeNull();
  expect(problem("2016-07-01T11:59:59.999Z", "FREQ=DAILY")).toEqual(far);
  expect(problem("2026-07-01T12:00:00.000Z", "FREQ=DAILY;UNTIL=20260630")).toEqual({
    field: "rrule",
    detail: "This recurrence ends before its first occurrence",
  });
  expect(problem("2026-07-01T18:00:00.000Z", "FREQ=DAILY;UNTIL=20260701T180000Z")).toBeNull();
  const over = { field: "end_at", detail: "This schedule lies wholly in the past" };
  expect(problem("2026-07-01T11:00:00.000Z")).toEqual(over);
  expect(problem("2026-07-01T11:00:00.001Z")).toBeNull();
  expect(problem("2026-06-01T11:00:00.001Z", "FREQ=DAILY;COUNT=5")).toEqual(over);
  // Its last day is what makes it so.
  expect(problem("2026-06-01T11:00:00.001Z", "FREQ=DAILY;UNTIL=20260610")).toEqual({ ...over, field: "rrule" });
});

test("system settings stay within their bounds", () => {
  const settings = systemSettingsInput({ loopback: false });
  expectWhole(settings, "HUB_CHECK_INTERVAL_SEC", "Hub check interval", 30, 86_400);
  expectWhole(settings, "HUB_OFFLINE_ALERT_MIN", "Offline alert", 1, 1440);
  expectWords(settings, {}, "PROVIDER_MODE", "Provider mode", ["mock", "cloud", "local", "hybrid"]);
  expect(field(settings, {}, "APP_TIMEZONE").taken("UTC")).toEqual({ APP_TIMEZONE: "UTC" });
  expect(field(settings, {}, "APP_TIMEZONE").refused("Mars")).toMatch(/^Time zone must be one of: America/);
  expect(refusal(settings, null)).toBe("Settings must be a map of keys and values");
});

test("a UAC key is 'uac.' and characters, empty, or the mask of the stored one", () => {
  const { taken, refused } = field(systemSettingsInput({ loopback: false }), {}, "YOLINK_UAC_KEY");
  for (const key of ["uac.ua_1:secret", "", maskKey("uac.ua_4FE0:hush")]) {
    expect(taken(` ${key} `)).toEqual({ YOLINK_UAC_KEY: key });
  }
  for (const key of ["ua_1:secret", "uac.", "xuac.a", "uac.a b", 7]) {
    expect(refused(key)).toBe("The UAC key must be 'uac.' followed by characters");
  }
  expect(refused(`uac.${"x".repeat(496)}`)).toBeNull();
  expect(refused(`uac.${"x".repeat(497)}`)).toBe("The UAC key may have at most 500 characters");
});

test("a mask shows the beginning of a key's public part, at most a third of it", () => {
  expect(maskKey("")).toBe("");
  expect(maskKey("uac.ua_4FE0123456789:hush")).toBe("uac.ua_4F…••••");
  expect(maskKey("uac.abcdef:hush")).toBe("uac.ab…••••");
  expect(isMask(maskKey("uac.a:b"))).toBe(true);
  expect(isMask("uac.a:b")).toBe(false);
});

test("the cloud's base is one of the vendor's hosts, or loopback where that is allowed", () => {
  const { refused } = field(systemSettingsInput({ loopback: false }), {}, "YOLINK_CLOUD_BASE");
  expect(refused("https://api.yosmart.com")).toBeNull();
  expect(refused(" https://api-eu.yosmart.com ")).toBeNull();
  const sentence = "The cloud base URL must be https://api.yosmart.com or https://api-eu.yosmart.com";
  for (const wrong of [
    "",
    "api.yosmart.com",
    "http://api.yosmart.com",
    "https://evil.example",
    "https://api.yosmart.com:8443",
    7,
    "https://a@api.yosmart.com",
    "https://:b@api.yosmart.com",
    "https://api.yosmart.com/?q",
    "https://api.yosmart.com/#h",
    "http://localhost:8787",
    `https://api.yosmart.com/${"x".repeat(480)}`,
  ]) {
    expect([wrong, refused(wrong)]).toEqual([wrong, sentence]);
  }
  const demo = { loopback: true };
  for (const local of ["http://localhost:1", "https://127.0.0.1", "http://[::1]:80"]) {
    expect(isCloudBase(local, demo)).toBe(true);
  }
  for (const local of ["ftp://localhost", "xhttp://localhost", "http://localhost.evil.example", "http://10.0.0.1"]) {
    expect(isCloudBase(local, demo)).toBe(false);
  }
});

test("guardrails stay within their bounds, and empty times switch them off", () => {
  const settings = guardrailSettingsInput;
  expectWhole(settings, "MAX_ON_DURATION_MIN", "Max ON duration", 1, 1440);
  expectWhole(settings, "WATCHDOG_INTERVAL_SEC", "Watchdog interval", 15, 3600);
  expectWhole(settings, "YOLINK_VERIFY_DELAY_SEC", "Verify delay", 1, 60);
  const curfew = field(settings, {}, "HARD_CURFEW_OFF");
  for (const good of ["23:45", ""]) expect(curfew.taken(` ${good} `)).toEqual({ HARD_CURFEW_OFF: good });
  for (const bad of ["24:00", "9:00", 7]) {
    expect(curfew.refused(bad)).toBe("The curfew must be a time as HH:MM, or empty");
  }
  const blackout = field(settings, {}, "BLACKOUT_WINDOW");
  for (const good of ["00:00-05:00", ""]) expect(blackout.taken(` ${good} `)).toEqual({ BLACKOUT_WINDOW: good });
  for (const bad of ["05:00-05:00", "00:00", "00:00-", 7]) {
    expect(blackout.refused(bad)).toBe("The blackout must be two different times as HH:MM-HH:MM, or empty");
  }
  for (const [name, noun] of [
    ["WATCHDOG_ENABLED", "Watchdog"],
    ["NOTIFY_ON_FAIL", "Notify on fail"],
  ] as const) {
    const { taken, refused } = field(settings, {}, name);
    expect(taken(false)).toEqual({ [name]: false });
    expect(refused("on")).toBe(`${noun} must be true or false`);
  }
  expect(settings.parse({})).toEqual({});
  expect(refusal(settings, null)).toBe("Guardrail settings must be a map of keys and values");
});

test("the retry backoffs are up to ten whole seconds, up to an hour each", () => {
  const { taken, refused } = field(guardrailSettingsInput, {}, "RETRY_BACKOFFS_SEC");
  for (const good of [[], [1, 3600], Array.from({ length: 10 }, () => 5)]) {
    expect(taken(good)).toEqual({ RETRY_BACKOFFS_SEC: good });
  }
  expect(refused(Array.from({ length: 11 }, () => 5))).toBe("There may be at most 10 retry backoffs");
  for (const bad of [[0], [3601], ["5"]]) {
    expect(refused(bad)).toBe("Each retry backoff must be a whole number from 1 to 3600");
  }
  expect(refused("10,30")).toBe("Retry backoffs must be a list of seconds");
});

test("phone numbers are E.164, separated by commas", () => {
  const { taken, refused } = field(guardrailSettingsInput, {}, "NOTIFY_SMS_TO");
  expect(taken(" +12025550123 , ,+491234567 ")).toEqual({ NOTIFY_SMS_TO: "+12025550123,+491234567" });
  expect(taken("")).toEqual({ NOTIFY_SMS_TO: "" });
  for (const bad of [
    "12025550123",
    "+0202555012",
    "+123456",
    "+1234567890123456",
    "+12025550123x",
    "x+12025550123",
    7,
    `+12025550123${" ".repeat(2000)}`,
  ]) {
    expect(refused(bad)).toBe("Phone numbers must be E.164, such as +12025550123, separated by commas");
  }
  expect(refused("+1234567,+123456789012345")).toBeNull();
  expect(refused("+1234567,soon")).not.toBeNull();
});

test("a log's query has a limit of 1 to 1000, 100 by default", () => {
  for (const query of [logQuery, schedulerEventQuery, historyQuery]) {
    expect(query.parse({})).toEqual({ limit: 100 });
    const { taken, refused } = field(query, {}, "limit");
    for (const limit of ["1", "1000"]) expect(taken(limit)).toEqual({ limit: Number(limit) });
    for (const bad of ["0", "1001", "1e2", " 5", "5 ", "", 5]) {
      expect(refused(bad)).toBe("Limit must be a whole number from 1 to 1000");
    }
  }
});

test("a log's query names a device, an area, a day or an instant", () => {
  const whole = { device_id: "d" };
  for (const query of [schedulerEventQuery, historyQuery]) {
    const { taken, refused } = field(query, {}, "device_id");
    expect(taken("d")).toEqual({ limit: 100, ...whole });
    expect(refused("")).toBe("Device must be an id");
  }
  expect(field(historyQuery, {}, "area_id").taken("a")).toEqual({ limit: 100, area_id: "a" });
  expect(field(historyQuery, {}, "area_id").refused(" ")).toBe("Area must be an id");
  const since = field(schedulerEventQuery, {}, "since");
  expect(since.taken("2026-07-01")).toHaveProperty("since", "2026-07-01T00:00:00.000Z");
  expect(since.taken("2026-07-01T02:00:00+02:00")).toHaveProperty("since", "2026-07-01T00:00:00.000Z");
  expect(since.taken("2026-07-01T02:00Z")).toHaveProperty("since", "2026-07-01T02:00:00.000Z");
  expect(since.refused("yesterday")).toBe("Since must be an ISO 8601 date and time");
  for (const local of ["2026-07-01T02:00:00", "2026-07-01T02:00", "2026-07-01T02:00:00.000"]) {
    expect(since.refused(local)).toBe(
      "Since must be an ISO 8601 date and time. Its offset is missing: Z, or one like -07:00",
    );
  }
  expect(since.taken("9999-12-31T23:59:59Z")).toHaveProperty("since", "9999-12-31T23:59:59.000Z");
  for (const far of ["9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00"]) {
    expect(since.refused(far)).toBe("Since must be an ISO 8601 date and time");
  }
});

test("a connectivity test names its hub or its device", () => {
  expectId(pingInput, { hub_id: "h" }, "hub_id", "Please select a hub first");
  expectId(statusInput, { device_id: "d" }, "device_id", "Please select a device first");
  expectId(testInput, { device_id: "d", action: "on" }, "device_id", "Please select a device first");
  expectWords(testInput, { device_id: "d" }, "action", "Action", ["on", "off"]);
  expect(refusal(pingInput, null)).toBe("Please select a hub first");
  expect(refusal(statusInput, null)).toBe("Please select a device first");
  expect(refusal(testInput, null)).toBe("Please select a device first");
});

test("a list's query keeps known parameters and drops the rest", () => {
  const said = { q: "oak", page: "3", area: "a", dept: "org-wide" };
  const list = { q: ["oak"], page: 3 };
  expect(areaQuery.parse({ ...said, type: "field", status: "inactive", sort: "newest" })).toEqual({
    ...list,
    type: "field",
    status: "inactive",
    sort: "newest",
  });
  expect(areaQuery.parse({ status: "active", sort: "type" })).toMatchObject({ status: "active", sort: "type" });
  expect(hubQuery.parse({ ...said, status: "online", mode: "cloud", sort: "seen" })).toEqual({
    ...list,
    area: "a",
    status: "online",
    mode: "cloud",
    sort: "seen",
  });
  expect(deviceQuery.parse({ ...said, type: "path", state: "on", sort: "state" })).toEqual({
    ...list,
    area: "a",
    dept: "org-wide",
    type: "path",
    state: "on",
    sort: "state",
  });
  expect(scheduleQuery.parse({ ...said, status: "done", sort: "title" })).toEqual({
    ...list,
    area: "a",
    dept: "org-wide",
    status: "done",
    sort: "title",
  });
  expect(workorderQuery.parse({ ...said, status: "open", priority: "high", sort: "oldest" })).toEqual({
    ...list,
    area: "a",
    dept: "org-wide",
    status: "open",
    priority: "high",
    sort: "oldest",
  });
});

test("an empty or unknown list query is the first page in the default order", () => {
  const unknown = { q: 7, page: "0", area: "", dept: "x".repeat(121), sort: "?", status: "?", type: "?", state: "?" };
  const first = { q: [], page: 1 };
  for (const said of [{}, { ...unknown, priority: "?", mode: "?" }]) {
    expect(areaQuery.parse(said)).toEqual({ ...first, sort: "name" });
    expect(hubQuery.parse(said)).toEqual({ ...first, sort: "name" });
    expect(deviceQuery.parse(said)).toEqual({ ...first, sort: "name" });
    expect(scheduleQuery.parse(said)).toEqual({ ...first, sort: "next" });
    expect(workorderQuery.parse(said)).toEqual({ ...first, sort: "newest" });
  }
  for (const page of ["-1", "1.5", "soon", "1000001"]) expect(areaQuery.parse({ page }).page).toBe(1);
  expect(areaQuery.parse({ page: "1000000" }).page).toBe(1_000_000);
});

test("a search is up to eight words in lower case", () => {
  expect(words.parse("  Little   LEAGUE\tÄ ")).toEqual(["little", "league", "Ä"]);
  expect(words.parse("a b c d e f g h i")).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
  expect(words.parse("x".repeat(200))).toHaveLength(1);
  expect(words.parse("x".repeat(201))).toEqual([]);
});
