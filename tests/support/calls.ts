import { env } from "cloudflare:workers";
import { and, eq, inArray, like } from "drizzle-orm";
import { TOTP } from "otpauth";
import { database } from "#db/database";
import * as t from "#db/schema";
import { seal } from "#db/sealed";
import type { CallName } from "#worker/api/contract";
import { hashCode } from "#worker/auth/one-time-code";
import { PASSWORD } from "./door";

/** A part of every secret that these calls send; it must not appear anywhere afterwards. */
export const SECRET = "hush-hush";

/** One record of each kind in the organization `city`; the light and the work order belong to the department `sports`. */
export type Place = {
  id: string;
  area: string;
  other: string;
  hub: string;
  agent: string;
  device: string;
  group: string;
  schedule: string;
  permit: string;
  closure: string;
  calendar: string;
  workorder: string;
  alarm: string;
  webhook: string;
  delivery: string;
  dept: string;
  user: string;
  member: string;
};

/** A night that each place's schedule does not have. */
const SKIPPED = { date: "2026-12-25", reason: "rain" };

const HOLIDAY = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "UID:1",
  "DTSTART;VALUE=DATE:20261126",
  "SUMMARY:Thanksgiving",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\r\n");

/** A valid request: its path parameters, query, body and the audit entry that it leaves. */
export type Example = {
  in_path?: Record<string, string>;
  query?: string;
  body?: Record<string, unknown>;
  /** 'create area'; null for a write that changes no record; reads have none. */
  audit?: string | null;
};

/** The names of a place's records, of which none is there yet. */
export function placeOf(id: string): Place {
  return {
    id,
    area: `area-${id}`,
    other: `other-${id}`,
    hub: `hub-${id}`,
    agent: `agent-${id}`,
    device: `device-${id}`,
    group: `group-${id}`,
    schedule: `schedule-${id}`,
    permit: `permit-${id}`,
    closure: `closure-${id}`,
    calendar: `calendar-${id}`,
    workorder: `workorder-${id}`,
    alarm: `city:device:device-${id}:1`,
    webhook: `webhook-${id}`,
    delivery: `msg_${id}`,
    dept: `dept-${id}`,
    user: `user-${id}`,
    member: `member-${id}`,
  };
}

let places = 0;

export async function aPlace(): Promise<Place> {
  const id = String((places += 1));
  const place = placeOf(id);
  const org_id = "city";
  const db = database(env.DB);
  const in_area = { org_id, area_id: place.area };
  const plan = { start_at: at(24), end_at: at(25), last_end_at: at(25), timezone: "UTC" };
  const limit = { from_at: at(24), reason: "wet ground", created_by: "admin@parks.example" };
  const people = [place.user, place.member].map((person) => ({ id: person, email: `${person}@parks.example` }));
  await db.batch([
    db.insert(t.areas).values([
      { id: place.area, org_id, name: `Park ${id}` },
      { id: place.other, org_id, name: `Field ${id}` },
    ]),
    db.insert(t.agents).values({ id: place.agent, org_id, name: `Agent ${id}`, secret_hash: "none", hint: "none" }),
    db.insert(t.hubs).values({ id: place.hub, ...in_area, agent_id: place.agent, name: `Hub ${id}` }),
    db.insert(t.devices).values({ id: place.device, ...in_area, hub_id: place.hub, dept_id: "sports", name: "Light" }),
    db.insert(t.device_groups).values({ id: place.group, ...in_area, name: "Field 1" }),
    db.insert(t.group_devices).values({ org_id, group_id: place.group, device_id: place.device }),
    db
      .insert(t.schedules)
      .values({ id: place.schedule, org_id, device_id: place.device, title: "Practice", ...plan, skips: [SKIPPED] }),
    db.insert(t.policies).values({ org_id, scope: "area", scope_id: place.area, MAX_ON_DURATION_MIN: 300 }),
    db.insert(t.permits).values({ id: place.permit, org_id, device_id: place.device, ...limit, to_at: at(30) }),
    db.insert(t.closures).values({ id: place.closure, org_id, device_id: place.device, ...limit }),
    db
      .insert(t.calendars)
      .values({ id: place.calendar, org_id, name: "Holidays", dates: [{ date: "2026-12-25", name: "" }] }),
    db.delete(t.message_choices).where(eq(t.message_choices.org_id, org_id)),
    // An organization may have ten of them.
    db.delete(t.webhooks).where(eq(t.webhooks.org_id, org_id)),
    db.insert(t.webhooks).values({
      id: place.webhook,
      org_id,
      name: "Pager",
      // An address that is never called.
      url: "https://10.0.0.1/",
      secret: await seal("whsec_AAAA", env.SETTINGS_KEY),
      hint: "AAAA",
    }),
    db.insert(t.webhook_deliveries).values({
      id: place.delivery,
      org_id,
      webhook_id: place.webhook,
      type: "test",
      subject: "Test",
      body: "{}",
      status: "failed",
    }),
    db.insert(t.workorders).values({ id: place.workorder, org_id, title: "Lamp", dept_id: "sports" }),
    db.insert(t.alarms).values({
      id: place.alarm,
      ...in_area,
      kind: "device_failed",
      device_id: place.device,
      device_name: "Light",
      what: "Dark",
      why: "still off after 3 tries",
      // The engine, which knows nothing of it, ends those from before it began.
      opened_at: at(1),
      seq: 1,
    }),
    db.insert(t.departments).values({ id: place.dept, org_id, name: `Department ${id}` }),
    db.insert(t.users).values(people.map((person) => ({ ...person, password_hash: "none" }))),
    db
      .insert(t.org_memberships)
      .values(people.map(({ id: user_id }) => ({ user_id, org_id, role: "employee" as const }))),
    db
      .insert(t.dept_memberships)
      .values({ id: place.member, org_id, dept_id: place.dept, user_id: place.member, role: "dept_staff" }),
  ]);
  await addAccounts(place);
  return place;
}

const TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** For each person of the city, a code to redeem, a session to end, an authenticator app to confirm and an import. */
async function addAccounts({ id }: Place): Promise<void> {
  const db = database(env.DB);
  const org_id = "city";
  const staff = await db
    .select({ user_id: t.users.id })
    .from(t.users)
    .innerJoin(t.org_memberships, eq(t.org_memberships.user_id, t.users.id))
    .where(and(eq(t.org_memberships.org_id, org_id), like(t.users.password_hash, "scrypt%")));
  if (staff.length === 0) return;
  const sealed_secret = await seal(TOTP_SECRET, env.SETTINGS_KEY);
  const ids = staff.map(({ user_id }) => user_id);
  await db.batch([
    db
      .insert(t.one_time_codes)
      .values(
        ids.map((user_id) => ({ code_hash: hashCode(codeOf(id, user_id)), user_id, org_id, expires_at: at(72) })),
      ),
    db
      .insert(t.sessions)
      .values(ids.map((user_id) => ({ id: `own-${id}-${user_id}`, user_id, org_id, expires_at: at(1) }))),
    db.delete(t.second_factors).where(inArray(t.second_factors.user_id, ids)),
    db.insert(t.second_factors).values(ids.map((user_id) => ({ user_id, sealed_secret }))),
    db.insert(t.imports).values(
      ids.map((user_id) => ({
        id: importOf(id, user_id),
        org_id,
        user_id,
        state: "ready" as const,
        rows: 0,
        counts: { area: NONE, hub: NONE, device: NONE },
        problems: [],
      })),
    ),
  ]);
}

const NONE = { create: 0, update: 0, same: 0 };

function importOf(place_id: string, user_id: string): string {
  return `import-${place_id}-${user_id}`;
}

function codeOf(place_id: string, user_id: string): string {
  return `redeem-${place_id}-${user_id}`;
}

/** A valid request for every call, by a person in a place. The tests that walk the contract fail if a call is missing. */
export function example(name: CallName, place: Place, email: string): Example {
  const { area, other, hub, device, dept } = place;
  const [user_id = ""] = email.split("@");
  const schedule = {
    title: "Game",
    area_id: area,
    device_id: device,
    start_at: at(48),
    end_at: at(50),
    rrule: "FREQ=DAILY",
  };
  const target = { type: "device", id: device };
  const light = { name: "Lamp", area_id: area, hub_id: hub, dept_id: "sports", model: "M1", notes: "by the gate" };
  const group = { name: "Field 2", area_id: area, device_ids: [device] };
  const workorder = {
    title: "Bulb",
    description: null,
    priority: "high",
    dept_id: "sports",
    device_id: device,
    area_id: area,
  };
  const examples: Record<CallName, Example> = {
    "GET /health": {},
    "GET /alive": {},
    "GET /openapi.json": {},
    "GET /docs": {},
    "POST /auth/login": { body: { email, password: PASSWORD }, audit: "login session" },
    "GET /auth/me": {},
    "POST /auth/switch-dept": { query: "dept_id=sports", audit: null },
    "PUT /auth/password": {
      body: { current_password: PASSWORD, new_password: `${SECRET} and quiet ${place.id}` },
      audit: "change_password session",
    },
    "POST /auth/logout": { audit: "logout session" },
    "POST /auth/redeem": { body: { code: codeOf(place.id, user_id) }, audit: "redeem session" },
    "GET /auth/sessions": {},
    "DELETE /auth/sessions/{id}": {
      in_path: { id: `own-${place.id}-${user_id}` },
      audit: "session_ended session",
    },
    "GET /auth/second-factor": {},
    "POST /auth/second-factor": { body: { current_password: PASSWORD }, audit: "second_factor_begun session" },
    "PUT /auth/second-factor": {
      body: { code: new TOTP({ secret: TOTP_SECRET }).generate() },
      audit: "second_factor_on session",
    },
    "POST /auth/second-factor/remove": { body: { current_password: PASSWORD }, audit: "second_factor_off session" },
    "GET /dashboard": {},
    "GET /alarms": { query: `state=acknowledged&area_id=${area}&page=1` },
    "PUT /alarms/acknowledge": {
      body: { told_until: Number.MAX_SAFE_INTEGER, area_id: null },
      audit: "acknowledge_all alarm",
    },
    "PUT /alarms/{id}/acknowledge": { in_path: { id: place.alarm }, audit: "acknowledge alarm" },
    "PUT /alarms/{id}/assign": {
      in_path: { id: place.alarm },
      body: { assigned_to: place.user },
      audit: "assign alarm",
    },
    "POST /alarms/{id}/workorder": { in_path: { id: place.alarm }, audit: "create workorder" },
    "GET /areas": {},
    "GET /areas/{id}": { in_path: { id: area } },
    "GET /areas/{id}/guardrails": { in_path: { id: area } },
    "POST /areas": { body: { name: "Oak", location: { address: "1 Elm St", lat: 1, lon: 2 } }, audit: "create area" },
    "PUT /areas/{id}": { in_path: { id: area }, body: { name: "Oak", type: "river" }, audit: "update area" },
    "DELETE /areas/{id}": { in_path: { id: area }, audit: "delete area" },
    "GET /hubs": {},
    "GET /health/hubs": {},
    "POST /hubs": { body: { name: "Hub", area_id: area, local_client_secret: SECRET }, audit: "create hub" },
    "PUT /hubs/{id}": {
      in_path: { id: hub },
      body: { name: "Moved", area_id: other, ip_address: "10.0.0.7", local_client_id: SECRET },
      audit: "update hub",
    },
    "DELETE /hubs/{id}": { in_path: { id: hub }, audit: "delete hub" },
    "GET /devices": {},
    "GET /devices/{id}": { in_path: { id: device } },
    "POST /devices": { body: light, audit: "create device" },
    "PUT /devices/{id}": { in_path: { id: device }, body: light, audit: "update device" },
    "DELETE /devices/{id}": { in_path: { id: device }, audit: "delete device" },
    "POST /devices/{id}/toggle": { in_path: { id: device }, body: { action: "off" }, audit: "toggle device" },
    "GET /devices/{id}/explain": { in_path: { id: device } },
    "GET /groups": {},
    "POST /groups": { body: group, audit: "create group" },
    "POST /areas/{id}/toggle": { in_path: { id: area }, body: { action: "off" }, audit: "toggle area" },
    "POST /groups/{id}/toggle": { in_path: { id: place.group }, body: { action: "auto" }, audit: "toggle group" },
    "PUT /groups/{id}": { in_path: { id: place.group }, body: group, audit: "update group" },
    "DELETE /groups/{id}": { in_path: { id: place.group }, audit: "delete group" },
    "GET /hub-account/devices": {},
    "POST /hub-account/devices": {
      body: {
        area_id: area,
        hub_id: hub,
        dept_id: "sports",
        devices: [{ cloud_device_id: `${place.id}-${user_id}`, name: "Pier lamp", model: "YS5706-UC" }],
      },
      audit: "create device",
    },
    "GET /inventory": {},
    "GET /inventory/template": {},
    "GET /imports": {},
    "GET /imports/{id}": { in_path: { id: importOf(place.id, user_id) } },
    "POST /imports": {
      body: { csv: `Kind,Name\narea,Import ${place.id}\n`, file_name: "city.csv" },
      audit: "create import",
    },
    "POST /imports/{id}/apply": { in_path: { id: importOf(place.id, user_id) }, audit: "apply import" },
    "GET /schedules": {},
    "POST /schedules": { body: schedule, audit: "create schedule" },
    "POST /schedules/preview": { body: schedule, audit: null },
    "PUT /schedules/{id}": { in_path: { id: place.schedule }, body: schedule, audit: "update schedule" },
    "PUT /schedules/{id}/skip": {
      in_path: { id: place.schedule },
      body: { date: at(24).slice(0, 10), reason: "rain" },
      audit: "skip schedule",
    },
    "PUT /schedules/{id}/unskip": {
      in_path: { id: place.schedule },
      body: { date: SKIPPED.date },
      audit: "unskip schedule",
    },
    "PUT /schedules/{id}/cancel": { in_path: { id: place.schedule }, audit: "cancel schedule" },
    "GET /permits": { query: "past=false" },
    "POST /permits": { body: { target, from: at(-0.5), to: at(0.5), reason: "tournament" }, audit: "create permit" },
    "DELETE /permits/{id}": { in_path: { id: place.permit }, audit: "delete permit" },
    "GET /closures": { query: `past=true&area_id=${area}` },
    "POST /closures": {
      body: { target, from: at(48), to: null, reason: "wet ground" },
      audit: "create closure",
    },
    "PUT /closures/{id}": { in_path: { id: place.closure }, body: { reason: "new turf" }, audit: "update closure" },
    "DELETE /closures/{id}": { in_path: { id: place.closure }, audit: "delete closure" },
    "GET /calendars": {},
    "POST /calendars": {
      body: { name: "Holidays", dates: [{ date: "2026-12-25", name: "Christmas" }] },
      audit: "create calendar",
    },
    "PUT /calendars/{id}": {
      in_path: { id: place.calendar },
      body: { name: "Holidays", dates: [{ date: "2026-12-24", name: "" }] },
      audit: "update calendar",
    },
    "POST /calendars/{id}/import": {
      in_path: { id: place.calendar },
      body: { ics: HOLIDAY },
      audit: "import calendar",
    },
    "DELETE /calendars/{id}": { in_path: { id: place.calendar }, audit: "delete calendar" },
    "GET /workorders": {},
    "POST /workorders": { body: workorder, audit: "create workorder" },
    "PUT /workorders/{id}": { in_path: { id: place.workorder }, body: workorder, audit: "update workorder" },
    "DELETE /workorders/{id}": { in_path: { id: place.workorder }, audit: "delete workorder" },
    "GET /departments": {},
    "POST /departments": { body: { name: "Paths" }, audit: "create department" },
    "PUT /departments/{id}": { in_path: { id: dept }, body: { name: "Paths" }, audit: "update department" },
    "DELETE /departments/{id}": { in_path: { id: dept }, audit: "delete department" },
    "GET /departments/{id}/members": { in_path: { id: dept } },
    "POST /departments/{id}/members": {
      in_path: { id: dept },
      body: { user_id: place.user, dept_id: dept, role: "dept_auditor" },
      audit: "create department_member",
    },
    "DELETE /departments/{id}/members/{user_id}": {
      in_path: { id: dept, user_id: place.member },
      audit: "delete department_member",
    },
    "GET /users": {},
    "POST /users": { body: { email: `new-${place.id}@parks.example`, role: "manager" }, audit: "create user" },
    "PUT /users/{id}": { in_path: { id: place.user }, body: { role: "manager" }, audit: "update user" },
    "DELETE /users/{id}": { in_path: { id: place.user }, audit: "delete user" },
    "POST /users/{id}/password": { in_path: { id: place.user }, audit: "reset_password user" },
    "GET /messages/mine": {},
    "PUT /messages/mine": {
      body: {
        phone: "+13105550142",
        email: "",
        // Nothing is sent.
        urgent_by: [],
        other_by: [],
        left_out: ["light_on"],
        quiet_from: "22:00",
        quiet_to: "06:00",
        digest: true,
      },
      audit: "create message_choice",
    },
    "POST /messages/mine/test": { audit: null },
    "GET /messages/people": {},
    "GET /forecast": { query: `area_id=${area}` },
    "GET /nights": { query: `area_id=${area}&date=2026-11-19` },
    "GET /history/events": { query: `limit=1000&device_id=${device}&area_id=${area}` },
    "GET /scheduler/events": { query: "limit=1000&since=2020-01-01" },
    "GET /admin/agents": {},
    "POST /admin/agents": { body: { name: "Riverside" }, audit: "create agent" },
    "PUT /admin/agents/{id}": {
      in_path: { id: place.agent },
      body: { name: "Boathouse" },
      audit: "update agent",
    },
    "POST /admin/agents/{id}/rotate": { in_path: { id: place.agent }, audit: "rotate agent" },
    "POST /admin/agents/{id}/revoke": { in_path: { id: place.agent }, audit: "revoke agent" },
    "DELETE /admin/agents/{id}": { in_path: { id: place.agent }, audit: "delete agent" },
    "GET /admin/audit-logs": { query: "limit=1000" },
    "GET /admin/notifications": { query: "limit=1000" },
    "GET /admin/connectivity/logs": {},
    "POST /admin/connectivity/ping-hub": { body: { hub_id: hub }, audit: null },
    "POST /admin/connectivity/status": { body: { device_id: device }, audit: null },
    "POST /admin/connectivity/action": { body: { device_id: device, action: "off" }, audit: "test device" },
    "GET /admin/webhooks": {},
    "POST /admin/webhooks": { body: { name: "Pager", url: "https://hooks.example/lights" }, audit: "create webhook" },
    "PUT /admin/webhooks/{id}": {
      in_path: { id: place.webhook },
      body: { name: "Pager", url: "https://hooks.example/lights", active: false },
      audit: "update webhook",
    },
    "POST /admin/webhooks/{id}/rotate": { in_path: { id: place.webhook }, audit: "rotate webhook" },
    "POST /admin/webhooks/{id}/test": { in_path: { id: place.webhook }, audit: "send webhook" },
    "DELETE /admin/webhooks/{id}": { in_path: { id: place.webhook }, audit: "delete webhook" },
    "GET /admin/webhooks/deliveries": { query: "limit=1000" },
    "POST /admin/webhooks/deliveries/{id}/send": { in_path: { id: place.delivery }, audit: "send webhook" },
    "GET /admin/policies": {},
    "PUT /admin/policies/{scope}/{id}": {
      in_path: { scope: "area", id: area },
      body: { HARD_CURFEW_OFF: "22:00", BLACKOUT_WINDOW: "", MAX_ON_DURATION_MIN: null },
      audit: "update policy",
    },
    "DELETE /admin/policies/{scope}/{id}": { in_path: { scope: "area", id: area }, audit: "delete policy" },
    "GET /admin/settings": {},
    "POST /admin/settings": {
      body: { YOLINK_UAC_KEY: `uac.${SECRET}:${SECRET}${place.id}`, HUB_OFFLINE_ALERT_MIN: 20 },
      audit: "update settings",
    },
    "GET /admin/settings/messages": {},
    "POST /admin/settings/messages": {
      body: {
        // Nothing is sent.
        EMAIL_PROVIDER: "off",
        EMAIL_API_KEY: `${SECRET}-key${place.id}`,
        EMAIL_FROM: "lights@parks.example",
        NOTIFY_EMAIL_TO: "ana@parks.example, ben@parks.example",
        EMAIL_API_BASE: "",
        ESCALATE_AFTER_MIN: 15,
        ESCALATE_TO: "+13105550102,ben@parks.example",
      },
      audit: "update settings",
    },
    "POST /admin/settings/messages/test": { body: { to: "ana@parks.example" }, audit: "test settings" },
    "GET /admin/settings/guardrails": {},
    "POST /admin/settings/guardrails": {
      body: { MAX_ON_DURATION_MIN: 100 + Number(place.id), RETRY_BACKOFFS_SEC: [5, 10] },
      audit: "update settings",
    },
  };
  return examples[name];
}

/** The request for 'POST /areas/{id}'. */
export function address(name: CallName, { in_path = {}, query }: Example): { method: string; path: string } {
  const [method = "", template = ""] = name.split(" ");
  const path = template.replace(/\{(\w+)\}/g, (_whole, key: string) => encodeURIComponent(in_path[key] ?? ""));
  return { method, path: query === undefined ? path : `${path}?${query}` };
}

function at(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}
