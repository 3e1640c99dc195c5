import { z } from "zod";
import { areaInput } from "#domain/area-schema";
import { pingAnswer, statusAnswer, testAnswer } from "#domain/connectivity-answers";
import { pingInput, statusInput, testInput } from "#domain/connectivity-schema";
import { areaDetail, deviceDetail } from "#domain/detail-records";
import { deviceInput, toggleInput } from "#domain/device-schema";
import { explanation } from "#domain/explanation";
import { guardrailSettingsInput } from "#domain/guardrail-settings-schema";
import { hubInput } from "#domain/hub-schema";
import { historyQuery, logQuery, schedulerEventQuery } from "#domain/log-query";
import { loginInput, passwordChange } from "#domain/login-schema";
import { departmentInput, memberInput, userChange, userInvite } from "#domain/people-schema";
import type { Capability } from "#domain/permissions";
import * as records from "#domain/records";
import { scheduleInput } from "#domain/schedule-schema";
import { systemSettingsInput } from "#domain/settings-schema";
import { workorderInput } from "#domain/workorder-schema";

export type Call = {
  /** For people, one sentence. */
  does: string;
  /** Anyone at all, anyone who is signed in, or whom the permission table lets (decision 11). */
  may: "anyone" | "signed in" | Capability;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Takes If-Match: the version that the writer has seen. */
  if_match?: true;
  /** 200 unless it makes a record (decision 14). */
  status?: 201;
  answer: z.ZodType;
  media_type?: "text/html";
  /** The refusals that do not follow from the rest. */
  also?: number[];
};

const success = z.object({ success: z.literal(true) });
const bearer = { access_token: z.string(), token_type: z.literal("bearer") };
const deptChoice = z.object({ dept_id: z.string().describe("Without it: All Departments").optional() });
const strict = { loopback: false };
const html = { answer: z.string(), media_type: "text/html" } as const;

/**
 * Every call there is: spec 7 row by row, with decisions 12 to 14 and 27. The published document, its page and the
 * tests of permissions and of hostile input are made from it, and from the schemas that validate.
 */
export const CONTRACT = {
  "GET /health": { does: "Says that the service runs.", may: "anyone", answer: z.object({ status: z.literal("ok") }) },
  "GET /openapi.json": { does: "This contract, for machines.", may: "anyone", answer: z.looseObject({}) },
  "GET /docs": { does: "This contract, for people.", may: "anyone", ...html },

  "POST /auth/login": {
    does: "Signs in. After too many failures: 429 with Retry-After.",
    may: "anyone",
    body: loginInput,
    answer: z.object({ ...bearer, user: records.user }),
    also: [401, 429],
  },
  "GET /auth/me": { does: "Who is signed in.", may: "signed in", answer: records.user },
  "POST /auth/switch-dept": {
    does: "Chooses a department, and answers a token that has it chosen.",
    may: "signed in",
    query: deptChoice,
    answer: z.object(bearer),
  },
  "PUT /auth/password": {
    does: "Changes one's own password. Ends every other session of the person.",
    may: "signed in",
    body: passwordChange,
    answer: z.object({ ...success.shape, ...bearer }),
    also: [429],
  },
  "POST /auth/logout": { does: "Signs out: the token is void at once.", may: "signed in", answer: success },

  "GET /dashboard": { does: "A summary of each area.", may: "dashboard.see", answer: list(records.areaSummary) },

  "GET /areas": { does: "All areas.", may: "area.see", answer: list(records.area) },
  "GET /areas/{id}": {
    does: "One area, with its devices, hubs, next windows, recent events and open work orders.",
    may: "area.see",
    answer: one(areaDetail),
  },
  "POST /areas": { does: "Makes an area.", may: "area.save", body: areaInput, ...made(records.area) },
  "PUT /areas/{id}": { does: "Changes an area.", may: "area.save", body: areaInput, ...changed(records.area) },
  "DELETE /areas/{id}": {
    does: "Deletes an area, with its hubs, its devices and their schedules.",
    may: "area.delete",
    answer: success,
  },

  "GET /hubs": { does: "All hubs.", may: "hub.see", answer: list(records.hub) },
  "GET /health/hubs": {
    does: "The health of each hub; unknown until it was checked.",
    may: "hub.see",
    answer: list(records.hubHealth),
  },
  "POST /hubs": { does: "Makes a hub.", may: "hub.save", body: hubInput(strict), ...made(records.hub), also: [409] },
  "PUT /hubs/{id}": {
    does: "Changes a hub. Moving it to another area moves its devices.",
    may: "hub.save",
    body: hubInput(strict),
    ...changed(records.hub),
  },
  "DELETE /hubs/{id}": { does: "Deletes a hub. Its devices stay.", may: "hub.delete", answer: success },

  "GET /devices": { does: "The devices that one sees.", may: "device.see", answer: list(records.device) },
  "GET /devices/{id}": {
    does: "One device, with why it is as it is, its hub, next windows, recent events and open work orders.",
    may: "device.see",
    answer: one(deviceDetail),
  },
  "POST /devices": {
    does: "Makes a device.",
    may: "device.save",
    body: deviceInput,
    ...made(records.device),
    also: [409],
  },
  "PUT /devices/{id}": {
    does: "Changes a device. Moving it to another area moves its schedules.",
    may: "device.save",
    body: deviceInput,
    ...changed(records.device),
  },
  "DELETE /devices/{id}": { does: "Deletes a device, with its schedules.", may: "device.delete", answer: success },
  "POST /devices/{id}/toggle": {
    does: "Turns a light on or off. What a guardrail refuses has success false, and says why.",
    may: "device.toggle",
    body: toggleInput,
    answer: records.toggleResult,
    also: [403, 503],
  },
  "GET /devices/{id}/explain": {
    does: "Why a light is as it is, and when that can change.",
    may: "device.see",
    answer: explanation,
    also: [503],
  },

  "GET /schedules": {
    does: "The schedules of the devices that one sees.",
    may: "schedule.see",
    answer: list(records.schedule),
  },
  "POST /schedules": {
    does: "Makes a schedule.",
    may: "schedule.save",
    body: scheduleInput,
    ...made(records.schedule),
    also: [409],
  },
  "PUT /schedules/{id}": {
    does: "Changes a schedule that is neither canceled nor completed.",
    may: "schedule.save",
    body: scheduleInput,
    ...changed(records.schedule),
  },
  "PUT /schedules/{id}/cancel": {
    does: "Cancels a schedule. A light that it holds goes off.",
    may: "schedule.cancel",
    if_match: true,
    answer: success,
  },

  "GET /workorders": { does: "The work orders that one sees.", may: "workorder.see", answer: list(records.workorder) },
  "POST /workorders": {
    does: "Makes a work order.",
    may: "workorder.save",
    body: workorderInput,
    ...made(records.workorder),
    also: [403, 409],
  },
  "PUT /workorders/{id}": {
    does: "Changes a work order.",
    may: "workorder.save",
    body: workorderInput,
    ...changed(records.workorder),
    also: [403],
  },
  "DELETE /workorders/{id}": {
    does: "Deletes a work order: for admin, manager and who made it.",
    may: "workorder.delete",
    answer: success,
    also: [403],
  },

  "GET /departments": {
    does: "The departments that one is in; for an admin, all.",
    may: "department.see",
    answer: list(records.department),
  },
  "POST /departments": {
    does: "Makes a department.",
    may: "department.edit",
    body: departmentInput,
    ...made(records.department),
  },
  "PUT /departments/{id}": {
    does: "Renames a department.",
    may: "department.edit",
    body: departmentInput,
    ...changed(records.department),
  },
  "DELETE /departments/{id}": {
    does: "Deletes a department. What was its own becomes organization-wide.",
    may: "department.edit",
    answer: success,
  },
  "GET /departments/{id}/members": {
    does: "Who is in a department.",
    may: "department.edit",
    answer: list(records.departmentMember),
  },
  "POST /departments/{id}/members": {
    does: "Puts a person into a department.",
    may: "department.edit",
    body: memberInput,
    ...made(records.departmentMember),
    also: [409],
  },
  "DELETE /departments/{id}/members/{user_id}": {
    does: "Takes a person out of a department.",
    may: "department.edit",
    answer: success,
  },

  "GET /users": {
    does: "The colleagues; for an admin, with what there is to manage.",
    may: "user.see",
    answer: list(z.union([records.member, records.colleague])),
  },
  "POST /users": {
    does: "Invites a person. A new one gets a password that is shown this once.",
    may: "user.edit",
    body: userInvite,
    ...made(records.invited),
    also: [409],
  },
  "PUT /users/{id}": {
    does: "Changes a person's role here, or deactivates them.",
    may: "user.edit",
    body: userChange,
    ...changed(records.member),
  },
  "POST /users/{id}/password": {
    does: "Gives a person who has lost theirs a new one-time password, shown this once, and ends their sessions.",
    may: "user.edit",
    answer: one(records.invited),
    also: [409],
  },

  "GET /history/events": {
    does: "The device events, the latest first.",
    may: "history.see",
    query: historyQuery,
    answer: list(records.deviceEvent),
  },
  "GET /scheduler/events": {
    does: "What the scheduler, the watchdog and people switched, the latest first.",
    may: "events.see",
    query: schedulerEventQuery,
    answer: z.object({ events: z.array(records.schedulerEvent) }),
  },

  "GET /admin/audit-logs": {
    does: "Who did what, the latest first.",
    may: "audit.see",
    query: logQuery,
    answer: list(records.auditLog),
  },
  "GET /admin/notifications": {
    does: "What people were told of, and whether it reached them, the latest first.",
    may: "notifications.see",
    query: logQuery,
    answer: list(records.notification),
  },
  "GET /admin/connectivity/logs": {
    does: "The connectivity tests, the latest first.",
    may: "connectivity.test",
    query: logQuery,
    answer: list(records.connectivityLog),
  },
  "POST /admin/connectivity/ping-hub": {
    does: "Asks a hub whether it is there.",
    may: "connectivity.test",
    body: pingInput,
    answer: pingAnswer,
    also: [503],
  },
  "POST /admin/connectivity/status": {
    does: "Reads a light.",
    may: "connectivity.test",
    body: statusInput,
    answer: statusAnswer,
    also: [503],
  },
  "POST /admin/connectivity/action": {
    does: "Turns a light on or off as a test, within the guardrails, and reads it.",
    may: "connectivity.test",
    body: testInput,
    answer: testAnswer,
    also: [503],
  },

  "GET /admin/settings": { does: "The system settings.", may: "settings.edit", answer: records.systemSettings },
  "POST /admin/settings": {
    does: "Saves what the map names; the rest stays.",
    may: "settings.edit",
    body: systemSettingsInput(strict),
    answer: success,
  },
  "GET /admin/settings/guardrails": {
    does: "The guardrails.",
    may: "guardrails.edit",
    answer: records.guardrailSettings,
  },
  "POST /admin/settings/guardrails": {
    does: "Saves what the map names, at once; the rest stays.",
    may: "guardrails.edit",
    body: guardrailSettingsInput,
    answer: success,
  },
} as const satisfies Record<string, Call>;

/** A call's name: its method and its path below /api. */
export type CallName = keyof typeof CONTRACT;

function list<Record extends z.ZodType>(record: Record) {
  return z.object({ data: z.array(record) });
}

function one<Record extends z.ZodType>(record: Record) {
  return z.object({ data: record });
}

function made<Record extends z.ZodType>(record: Record) {
  return { status: 201, answer: one(record) } as const;
}

function changed<Record extends z.ZodType>(record: Record) {
  return { if_match: true, answer: one(record) } as const;
}
