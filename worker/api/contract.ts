import { z } from "zod";
import { agentInput } from "#domain/hubs/agent-schema";
import { alarm, alarmCounts, toldUntil } from "#domain/alarms/alarm-records";
import { acknowledgeAllInput, alarmQuery, assignInput } from "#domain/alarms/alarm-schema";
import { areaInput } from "#domain/organization/area-schema";
import { calendarFile, calendarInput } from "#domain/schedule/calendar-schema";
import { closureChange, closureInput } from "#domain/guardrails/closure-schema";
import { pingAnswer, statusAnswer, testAnswer } from "#domain/hubs/connectivity-answers";
import { pingInput, statusInput, testInput } from "#domain/hubs/connectivity-schema";
import { areaDetail, deviceDetail } from "#domain/records/detail-records";
import { deviceInput } from "#domain/light/device-schema";
import { explanation } from "#domain/resolve/explanation";
import { groupInput } from "#domain/schedule/group-schema";
import { deviceForecast, forecastQuery, nextPage } from "#domain/forecast/forecast-schema";
import { guardrailSettingsInput } from "#domain/guardrails/guardrail-settings-schema";
import { hubAccountDevice, hubAccountInput, hubAccountQuery } from "#domain/hubs/hub-account";
import { hubInput } from "#domain/hubs/hub-schema";
import { importDetail, importJob } from "#domain/organization/import-records";
import { importInput } from "#domain/organization/import-schema";
import { auditQuery, historyQuery, logQuery, schedulerEventQuery } from "#domain/lists/log-query";
import {
  codeInput,
  loginInput,
  secondFactorBegin,
  secondFactorCode,
  secondFactorRemove,
} from "#domain/organization/login-schema";
import { emailTest, emailTestInput, messageSettings, messageSettingsInput } from "#domain/messages/message-settings";
import { colleagueChoice, messageChoice, messageChoiceInput, messageTest } from "#domain/messages/message-choice";
import { night, nightQuery } from "#domain/tonight/night-schema";
import { departmentInput, memberInput, userChange, userInvite } from "#domain/organization/people-schema";
import { limitQuery } from "#domain/guardrails/limit-query";
import * as limits from "#domain/guardrails/limit-records";
import type { Capability } from "#domain/organization/permissions";
import { permitInput } from "#domain/guardrails/permit-schema";
import { policyInput } from "#domain/guardrails/policy-schema";
import { previewQuery, schedulePreview } from "#domain/forecast/preview-schema";
import * as records from "#domain/records/records";
import { skipInput } from "#domain/schedule/nights-schema";
import { publicHealth } from "#domain/alarms/scheduler-health";
import { scheduleInput } from "#domain/schedule/schedule-schema";
import { systemSettingsInput } from "#domain/organization/settings-schema";
import { toggleInput } from "#domain/resolve/toggle-schema";
import { webhook, webhookDelivery, webhookWithSecret } from "#domain/messages/webhook-records";
import { webhookInput } from "#domain/messages/webhook-schema";
import { workorderInput } from "#domain/alarms/workorder-schema";
import { passwordInput } from "#worker/auth/password-policy";

export type Call = {
  /** One sentence for the documentation. */
  does: string;
  /** Anyone, anyone who is signed in, or people with the capability. */
  may: "anyone" | "signed in" | Capability;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** What the body may be besides JSON. */
  also_takes?: "text/calendar";
  /** Accepts If-Match with the version that the client read. */
  if_match?: true;
  /** Accepts Idempotency-Key, as every create and every save with If-Match does. */
  once?: true;
  /** 200 unless it creates a record. */
  status?: 201;
  answer: z.ZodType;
  media_type?: "text/html" | "text/csv";
  /** 403 for a record of a department that the person may only read. */
  by_department?: true;
  /** Answers 503 with the same body where what it reports on fails. */
  reports_failure?: true;
  /** Statuses that do not follow from the fields above. */
  also?: readonly number[];
};

const success = z.object({ success: z.literal(true) });
const bearer = { access_token: z.string(), token_type: z.literal("bearer") };
const deptChoice = z.object({ dept_id: z.string().describe("Omit it for All Departments").optional() });
const strict = { loopback: false };
const OF_A_DAY =
  "Covers the last 90 days. Older days are in the archive; `day` (in the organization's zone) names the one to read. `cursor`, " +
  "<time>~<id> of the last entry that you have of that day, asks for the entries after it, until it answers none.";
const OLDER =
  "`cursor`, <time>~<id> of the last entry that you have, asks for the entries after it, until it answers none.";
/** 409: somebody else deletes it at the same moment, or it is in use. */
const removed = { answer: success, once: true, also: [409] } as const;
const html = { answer: z.string(), media_type: "text/html" } as const;
const csv = { answer: z.string(), media_type: "text/csv" } as const;

/**
 * Every call of the API. The OpenAPI document, its page and the tests of permissions and hostile input are generated from
 * this and from the schemas that validate the input.
 */
export const CONTRACT = {
  "GET /health": {
    does: "Reports whether the service is well, for uptime monitors: 503 while the database is away, a scheduler late, or the sweep missing.",
    may: "anyone",
    answer: publicHealth,
    reports_failure: true,
  },
  "GET /alive": {
    does: "Answers as soon as the server can, without asking anything else: for screens that want to know whether it is there.",
    may: "anyone",
    answer: z.object({ status: z.literal("ok") }),
  },
  "GET /openapi.json": { does: "Returns this API as an OpenAPI document.", may: "anyone", answer: z.looseObject({}) },
  "GET /docs": { does: "Shows this API as a page.", may: "anyone", ...html },

  "POST /auth/login": {
    does:
      "Signs in with a password or a one-time code. A 401 with errors.code asks for the code of the authenticator app; " +
      "too many failures get a 429 with Retry-After.",
    may: "anyone",
    body: loginInput,
    answer: z.object({ ...bearer, user: records.user }),
    also: [401, 429, 503],
  },
  "GET /auth/me": { does: "Returns the signed-in user.", may: "signed in", answer: records.user },
  "POST /auth/switch-dept": {
    does: "Chooses a department and returns a token for it.",
    may: "signed in",
    query: deptChoice,
    answer: z.object(bearer),
  },
  "GET /auth/second-factor": {
    does: "Returns whether you have a second factor and whether the organization requires one.",
    may: "signed in",
    answer: one(records.secondFactor),
  },
  "POST /auth/second-factor": {
    does: "Starts the setup of an authenticator app. Nothing changes until its first code confirms it.",
    may: "signed in",
    body: secondFactorBegin,
    answer: one(records.secondFactorSetup),
    also: [409, 429],
  },
  "PUT /auth/second-factor": {
    does: "Confirms the authenticator app with its first code and returns the recovery codes, this once.",
    may: "signed in",
    body: secondFactorCode,
    answer: one(z.object({ recovery_codes: z.array(z.string()) })),
    also: [409, 429],
  },
  "POST /auth/second-factor/remove": {
    does:
      "Removes the authenticator app and the recovery codes. Where your organization requires one, `code` is needed, and " +
      "nothing else works until a new app is set up.",
    may: "signed in",
    body: secondFactorRemove,
    answer: success,
    also: [409, 429],
  },
  "PUT /auth/password": {
    does:
      "Changes your password and ends your other sessions. After a sign-in with a one-time code no current_password " +
      "is needed.",
    may: "signed in",
    body: passwordInput,
    answer: z.object({ ...success.shape, ...bearer }),
    also: [409, 429],
  },
  "POST /auth/logout": { does: "Signs out. The token stops working at once.", may: "signed in", answer: success },
  "POST /auth/redeem": {
    does: "Accepts an organization's invitation with its one-time code.",
    may: "signed in",
    body: codeInput,
    answer: one(records.orgMembership),
  },
  "GET /auth/sessions": {
    does: "Lists your sessions on all devices.",
    may: "signed in",
    answer: list(records.ownSession),
  },
  "DELETE /auth/sessions/{id}": {
    does: "Ends one of your sessions.",
    may: "signed in",
    answer: success,
  },

  "GET /dashboard": {
    does: "Lists all areas with their counts, last activity and next event.",
    may: "dashboard.see",
    answer: list(records.areaSummary),
  },

  "GET /alarms": {
    does:
      "Lists what the engine finds wrong: open, acknowledged or past alarms, the latest first, 60 a page, and how many " +
      "there are of each.",
    may: "alarm.see",
    query: alarmQuery,
    answer: z.object({
      data: z.array(alarm),
      total: z.int(),
      page: z.int(),
      pages: z.int(),
      counts: alarmCounts,
      told_until: toldUntil,
    }),
  },
  "PUT /alarms/acknowledge": {
    does:
      "Acknowledges all open alarms, or those of an area, that a list had with its `told_until`, and that you may write. " +
      "What opened or changed since stays open.",
    may: "workorder.save",
    body: acknowledgeAllInput,
    answer: z.object({ acknowledged: z.int() }),
  },
  "PUT /alarms/{id}/acknowledge": {
    does: "Acknowledges an alarm. Changes nothing if somebody already has.",
    may: "workorder.save",
    ...changed(alarm),
    by_department: true,
  },
  "PUT /alarms/{id}/assign": {
    does: "Assigns an alarm to a person, or with null to nobody.",
    may: "workorder.save",
    body: assignInput,
    ...changed(alarm),
    by_department: true,
  },
  "POST /alarms/{id}/workorder": {
    does: "Creates a work order from an alarm, with everything filled in. If the alarm has one already, returns that.",
    may: "workorder.save",
    ...made(records.workorder),
    by_department: true,
    also: [409],
  },

  "GET /areas": { does: "Lists all areas.", may: "area.see", answer: list(records.area) },
  "GET /areas/{id}": {
    does: "Returns one area with its devices, hubs, next windows, recent events and open work orders.",
    may: "area.see",
    answer: one(areaDetail),
  },
  "GET /areas/{id}/guardrails": {
    does: "Returns the guardrails in force in an area and its groups, each with the level that sets it.",
    may: "area.see",
    answer: one(limits.areaGuardrails),
  },
  "POST /areas/{id}/toggle": {
    does: "Switches every light of an area that you can see; each has a row. Answers within 9 s; a light whose row is pending is still being tried.",
    may: "device.toggle",
    body: toggleInput,
    answer: list(records.toggleRow),
    by_department: true,
  },
  "POST /areas": { does: "Creates an area.", may: "area.save", body: areaInput, ...made(records.area) },
  "PUT /areas/{id}": { does: "Updates an area.", may: "area.save", body: areaInput, ...changed(records.area) },
  "DELETE /areas/{id}": {
    does: "Deletes an area with its hubs, its devices and their schedules.",
    may: "area.delete",
    ...removed,
  },

  "GET /hubs": { does: "Lists all hubs.", may: "hub.see", answer: list(records.hub) },
  "GET /health/hubs": {
    does: "Lists the health of every hub, which is unknown until the first check.",
    may: "hub.see",
    answer: list(records.hubHealth),
  },
  "POST /hubs": { does: "Creates a hub.", may: "hub.save", body: hubInput(strict), ...made(records.hubSaved) },
  "PUT /hubs/{id}": {
    does: "Updates a hub. A new area moves its devices; a new address or port drops its credentials.",
    may: "hub.save",
    body: hubInput(strict),
    ...changed(records.hubSaved),
  },
  "DELETE /hubs/{id}": { does: "Deletes a hub. Its devices stay.", may: "hub.delete", ...removed },

  "GET /devices": {
    does: "Lists the devices that you can see.",
    may: "device.see",
    answer: list(records.device),
  },
  "GET /devices/{id}": {
    does: "Returns one device with the reason for its state, its hub, next windows, recent events and open work orders.",
    may: "device.see",
    answer: one(deviceDetail),
  },
  "POST /devices": {
    does: "Creates a device.",
    may: "device.save",
    body: deviceInput,
    ...made(records.device),
  },
  "PUT /devices/{id}": {
    does: "Updates a device. A new area moves its schedules.",
    may: "device.save",
    body: deviceInput,
    ...changed(records.device),
  },
  "DELETE /devices/{id}": { does: "Deletes a device with its schedules.", may: "device.delete", ...removed },
  "POST /devices/{id}/toggle": {
    does: "Switches a light on or off, until an end if you like, or back to its schedule. If something keeps it dark, `success` is false and `detail` says why.",
    may: "device.toggle",
    body: toggleInput,
    answer: records.toggleResult,
    by_department: true,
  },
  "GET /devices/{id}/explain": {
    does: "Explains why a light is on or off, and when that can change.",
    may: "device.see",
    answer: explanation,
  },

  "GET /groups": {
    does: "Lists the groups with a device that you can see.",
    may: "group.see",
    answer: list(records.group),
  },
  "POST /groups": {
    does: "Creates a group of devices of one area.",
    may: "group.save",
    body: groupInput,
    ...made(records.group),
  },
  "PUT /groups/{id}": {
    does: "Updates a group. A light that joins follows the group's schedules at once; one that leaves no longer does.",
    may: "group.save",
    body: groupInput,
    ...changed(records.group),
  },
  "POST /groups/{id}/toggle": {
    does: "Switches every light of a group that you can see; each has a row. Answers within 9 s; a light whose row is pending is still being tried.",
    may: "device.toggle",
    body: toggleInput,
    answer: list(records.toggleRow),
    by_department: true,
  },
  "DELETE /groups/{id}": {
    does: "Deletes a group with its schedules, closures and permits, unless one of them is neither canceled nor over.",
    may: "group.delete",
    ...removed,
  },

  "GET /hub-account/devices": {
    does: "Lists the devices that the vendor's account or a hub knows, with the reason why one cannot be added.",
    may: "device.save",
    query: hubAccountQuery,
    answer: list(hubAccountDevice),
    also: [409],
  },
  "POST /hub-account/devices": {
    does: "Adds chosen devices of the hub account to an area: all of them, or none.",
    may: "device.save",
    body: hubAccountInput,
    status: 201,
    answer: list(records.device),
  },

  "GET /inventory": {
    does: "Returns all areas, hubs and devices that the person sees, as CSV. Imported again, it changes nothing.",
    may: "import.run",
    ...csv,
  },
  "GET /inventory/template": {
    does: "Returns an empty file of the same form, with an example of each kind of row.",
    may: "import.run",
    ...csv,
  },
  "GET /imports": {
    does: "Lists the person's latest imports.",
    may: "import.run",
    answer: list(importJob),
  },
  "GET /imports/{id}": {
    does: "Returns one import: how far it has come, what is wrong with the file, or what it will change.",
    may: "import.run",
    answer: one(importDetail),
  },
  "POST /imports": {
    does:
      "Checks a CSV file of areas, hubs and devices, and changes nothing yet. Poll the import until it is `ready`, " +
      "or `failed` with a sentence for each bad row.",
    may: "import.run",
    body: importInput,
    ...made(importDetail),
  },
  "POST /imports/{id}/apply": {
    does: "Applies an import that is `ready`: all of it, or nothing. Poll the import until it is `done` or `failed`.",
    may: "import.run",
    answer: one(importDetail),
    also: [409],
  },

  "GET /schedules": {
    does: "Lists the schedules of the devices that you can see.",
    may: "schedule.see",
    answer: list(records.schedule),
  },
  "POST /schedules": {
    does: "Creates a schedule.",
    may: "schedule.save",
    body: scheduleInput,
    ...made(records.schedule),
  },
  "POST /schedules/preview": {
    does:
      "Previews a schedule without saving it: its next ten windows, when any of its lights is on in them, and what keeps " +
      "lights dark.",
    may: "schedule.save",
    query: previewQuery,
    body: scheduleInput,
    answer: one(schedulePreview),
    also: [404, 409],
  },
  "PUT /schedules/{id}": {
    does: "Updates a schedule, unless it is canceled or completed.",
    may: "schedule.save",
    body: scheduleInput,
    ...changed(records.schedule),
  },
  "PUT /schedules/{id}/skip": {
    does: "Leaves out one night, named by its date or by the start of its window. A light that it keeps on goes off.",
    may: "schedule.save",
    body: skipInput,
    ...changed(records.schedule),
  },
  "PUT /schedules/{id}/unskip": {
    does: "Lets a skipped night happen after all.",
    may: "schedule.save",
    body: skipInput,
    ...changed(records.schedule),
  },
  "PUT /schedules/{id}/cancel": {
    does: "Cancels a schedule for good, with all its future occurrences. A light that it keeps on goes off.",
    may: "schedule.cancel",
    if_match: true,
    answer: success,
  },

  "GET /permits": {
    does: "Lists the permits in force and to come, or with `past` those that are over.",
    may: "permit.see",
    query: limitQuery,
    answer: list(limits.permit),
  },
  "POST /permits": {
    does:
      "Permits light during the dark time and beyond max on: an admin for up to 7 days, a manager for up to 2 hours of today. " +
      "Without `from` it begins now. `warnings` say which lights max on switches off at its end.",
    may: "permit.save",
    body: permitInput,
    ...made(limits.permitMade),
    by_department: true,
  },
  "DELETE /permits/{id}": {
    does: "Takes a permit back.",
    may: "permit.save",
    ...removed,
    by_department: true,
  },
  "GET /closures": {
    does: "Lists the closures in force and to come, or with `past` those that are over.",
    may: "closure.see",
    query: limitQuery,
    answer: list(limits.closure),
  },
  "POST /closures": {
    does: "Closes an area, a group or a device: its lights go off and stay off. Without `to` until it is reopened.",
    may: "closure.save",
    body: closureInput,
    ...made(limits.closure),
    by_department: true,
  },
  "PUT /closures/{id}": {
    does: "Updates a closure that is not over. A start of null is now, and an end in the past reopens it now.",
    may: "closure.save",
    body: closureChange,
    ...changed(limits.closure),
    by_department: true,
  },
  "DELETE /closures/{id}": {
    does: "Deletes a closure. Lights whose windows still run go on again.",
    may: "closure.save",
    ...removed,
    by_department: true,
  },

  "GET /calendars": { does: "Lists the calendars.", may: "calendar.see", answer: list(records.calendar) },
  "POST /calendars": {
    does: "Creates a calendar, a named list of dates that schedules skip or keep to.",
    may: "calendar.save",
    body: calendarInput,
    ...made(records.calendar),
  },
  "PUT /calendars/{id}": {
    does: "Updates a calendar. Lights follow its new dates at once.",
    may: "calendar.save",
    body: calendarInput,
    ...changed(records.calendar),
  },
  "POST /calendars/{id}/import": {
    does: "Adds the dates of an iCalendar file to a calendar. The file may be the body itself, as text/calendar.",
    may: "calendar.save",
    body: calendarFile,
    also_takes: "text/calendar",
    ...changed(records.calendar),
  },
  "DELETE /calendars/{id}": {
    does: "Deletes a calendar, unless a schedule that is not over uses it.",
    may: "calendar.save",
    ...removed,
  },

  "GET /workorders": {
    does: "Lists the work orders that you can see.",
    may: "workorder.see",
    answer: list(records.workorder),
  },
  "POST /workorders": {
    does: "Creates a work order.",
    may: "workorder.save",
    body: workorderInput,
    ...made(records.workorder),
    by_department: true,
  },
  "PUT /workorders/{id}": {
    does: "Updates a work order.",
    may: "workorder.save",
    body: workorderInput,
    ...changed(records.workorder),
    by_department: true,
  },
  "DELETE /workorders/{id}": {
    does: "Deletes a work order. Employees can delete only those they created.",
    may: "workorder.delete",
    ...removed,
    by_department: true,
  },

  "GET /departments": {
    does: "Lists your departments; for admins, all departments.",
    may: "department.see",
    answer: list(records.department),
  },
  "POST /departments": {
    does: "Creates a department.",
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
    does: "Deletes a department, unless you are an auditor of it. Its devices and work orders become organization-wide.",
    may: "department.edit",
    ...removed,
  },
  "GET /departments/{id}/members": {
    does: "Lists the members of a department.",
    may: "department.edit",
    answer: list(records.departmentMember),
  },
  "POST /departments/{id}/members": {
    does: "Adds a person to a department.",
    may: "department.edit",
    body: memberInput,
    ...made(records.departmentMember),
    also: [409],
  },
  "DELETE /departments/{id}/members/{user_id}": {
    does: "Removes a person from a department. Who is an auditor of it is removed by another admin, where there is one.",
    may: "department.edit",
    ...removed,
  },

  "GET /messages/mine": {
    does: "Returns how you want to hear of alarms. Without a saved choice you hear of none.",
    may: "messages.choose",
    answer: one(messageChoice),
  },
  "PUT /messages/mine": {
    does: "Saves how you want to hear of alarms and keeps the fields that are not sent. It applies at once.",
    may: "messages.choose",
    body: messageChoiceInput,
    ...changed(messageChoice),
  },
  "POST /messages/mine/test": {
    does:
      "Sends you a message by each channel that you have chosen, at most once a minute. If one was not accepted, " +
      "`success` is false and `detail` says why.",
    may: "messages.choose",
    answer: messageTest,
    also: [429],
  },
  "GET /messages/people": {
    does: "Lists the active people of the organization and how each hears of alarms.",
    may: "messages.see",
    answer: list(colleagueChoice),
  },

  "GET /users": {
    does: "Lists the active people of the organization; for admins, everyone, with status and version.",
    may: "user.see",
    answer: list(z.union([records.member, records.colleague])),
  },
  "POST /users": {
    does: "Invites a person. The one-time code is shown once and is valid for 72 hours.",
    may: "user.edit",
    body: userInvite,
    ...made(records.invited),
    also: [409],
  },
  "PUT /users/{id}": {
    does: "Changes a person's role or deactivates them. Only an organization admin can change another one.",
    may: "user.edit",
    body: userChange,
    ...changed(records.member),
  },
  "DELETE /users/{id}": {
    does: "Removes a person from the organization. Their account stays.",
    may: "user.edit",
    ...removed,
  },
  "POST /users/{id}/password": {
    does:
      "Issues a new one-time code, shown once, for a pending invitation or a lost password. The old password stops " +
      "working and the person's sessions end.",
    may: "user.edit",
    answer: one(records.invited),
    also: [409],
  },

  "GET /forecast": {
    does:
      "Forecasts what the lights of an area, or one light, will do if every lamp obeys: up to 200 devices a page, " +
      "in the order of their ids. A light with thousands of changes has only the first of them.",
    may: "forecast.see",
    query: forecastQuery,
    answer: z.object({ data: z.array(deviceForecast), next: nextPage }),
    also: [404],
  },
  "GET /nights": {
    does:
      "Returns a night, from noon to noon, of an area's lights or of one light: what was wanted of each and what readings said. " +
      "Up to 200 devices a page, in the order of their ids. A night that still runs ends now; of the time before known_from the " +
      "log knows nothing.",
    may: "night.see",
    query: nightQuery,
    answer: z.object({
      data: z.array(night),
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      known_from: z.iso
        .datetime()
        .describe("Where the log begins within the night; where what is told ends if it has nothing of it"),
      next: nextPage,
    }),
    also: [404],
  },
  "GET /history/events": {
    does: `Lists the device events, latest first. ${OF_A_DAY}`,
    may: "history.see",
    query: historyQuery,
    answer: list(records.deviceEvent),
  },
  "GET /scheduler/events": {
    does: `Lists the switching by schedules, the watchdog and people, latest first. ${OF_A_DAY}`,
    may: "events.see",
    query: schedulerEventQuery,
    answer: z.object({ events: z.array(records.schedulerEvent) }),
  },

  "GET /admin/agents": {
    does: "Lists the on-site agents, the computers that reach hubs on private networks.",
    may: "agent.see",
    answer: list(records.agent),
  },
  "POST /admin/agents": {
    does: "Creates an on-site agent. Its secret is in this answer only.",
    may: "agent.edit",
    body: agentInput,
    ...made(records.agentWithSecret),
    also: [409],
  },
  "PUT /admin/agents/{id}": {
    does: "Renames an on-site agent.",
    may: "agent.edit",
    body: agentInput,
    ...changed(records.agent),
  },
  "POST /admin/agents/{id}/rotate": {
    does:
      "Makes a new secret, which is in this answer only. The old one stops working and the agent is disconnected at once; " +
      "a revoked agent may connect again.",
    may: "agent.edit",
    answer: one(records.agentWithSecret),
  },
  "POST /admin/agents/{id}/revoke": {
    does: "Disconnects an on-site agent at once, and for good until it gets a new secret. Its hubs stay assigned.",
    may: "agent.edit",
    answer: one(records.agent),
  },
  "DELETE /admin/agents/{id}": {
    does: "Deletes an on-site agent. Its hubs stay, without an agent.",
    may: "agent.edit",
    ...removed,
  },
  "GET /admin/audit-logs": {
    does: `Lists the audit log, latest first, and fewer entries than \`limit\` where they are long. ${OF_A_DAY}`,
    may: "audit.see",
    query: auditQuery,
    answer: list(records.auditLog),
  },
  "GET /admin/notifications": {
    does: `Lists the notifications and whether they were sent, latest first. ${OLDER}`,
    may: "notifications.see",
    query: logQuery,
    answer: list(records.notification),
  },
  "GET /admin/connectivity/logs": {
    does: `Lists the connectivity tests, latest first. ${OLDER}`,
    may: "connectivity.test",
    query: logQuery,
    answer: list(records.connectivityLog),
  },
  "POST /admin/connectivity/ping-hub": {
    does: "Pings a hub.",
    may: "connectivity.test",
    body: pingInput,
    answer: pingAnswer,
  },
  "POST /admin/connectivity/status": {
    does: "Reads a light's state.",
    may: "connectivity.test",
    body: statusInput,
    answer: statusAnswer,
  },
  "POST /admin/connectivity/action": {
    does: "Switches a light as a test, within the guardrails, and reads its state.",
    may: "connectivity.test",
    body: testInput,
    answer: testAnswer,
  },

  "GET /admin/webhooks": {
    does: "Lists the webhooks, the addresses of other systems that are told of alarms.",
    may: "settings.edit",
    answer: list(webhook),
  },
  "POST /admin/webhooks": {
    does:
      "Creates a webhook. Its secret is in this answer only; it signs each message in the form of Standard Webhooks, by " +
      "HMAC-SHA256 over id, timestamp and body.",
    may: "settings.edit",
    body: webhookInput(strict),
    ...made(webhookWithSecret),
    also: [409],
  },
  "PUT /admin/webhooks/{id}": {
    does: "Updates a webhook.",
    may: "settings.edit",
    body: webhookInput(strict),
    ...changed(webhook),
  },
  "POST /admin/webhooks/{id}/rotate": {
    does: "Makes a new secret, which is in this answer only. For a day messages are signed with both.",
    may: "settings.edit",
    answer: one(webhookWithSecret),
  },
  "POST /admin/webhooks/{id}/test": {
    does: "Sends a test message to a webhook; the deliveries say whether it arrived.",
    may: "settings.edit",
    answer: success,
    also: [409],
  },
  "DELETE /admin/webhooks/{id}": {
    does: "Deletes a webhook. Messages that still wait for it are not sent.",
    may: "settings.edit",
    ...removed,
  },
  "GET /admin/webhooks/deliveries": {
    does: `Lists the messages to webhooks of the last 30 days and what became of each, latest first. ${OLDER}`,
    may: "settings.edit",
    query: logQuery,
    answer: list(webhookDelivery),
  },
  "POST /admin/webhooks/deliveries/{id}/send": {
    does: "Sends a message to its webhook again, under the same id.",
    may: "settings.edit",
    answer: success,
    also: [409],
  },

  "GET /admin/policies": {
    does: "Lists the guardrails of area types, areas and groups.",
    may: "guardrails.edit",
    answer: list(limits.policy),
  },
  "PUT /admin/policies/{scope}/{id}": {
    does: "Sets the guardrails of an area type, an area or a group. Null inherits, empty and 0 are none.",
    may: "guardrails.edit",
    body: policyInput,
    ...changed(limits.policy),
  },
  "DELETE /admin/policies/{scope}/{id}": {
    does: "Removes a policy. Its lights inherit again.",
    may: "guardrails.edit",
    ...removed,
  },

  "GET /admin/settings": { does: "Returns the system settings.", may: "settings.edit", answer: records.systemSettings },
  "POST /admin/settings": {
    does: "Saves the named system settings and keeps the rest. `warnings` name hubs that this mode does not reach.",
    may: "settings.edit",
    body: systemSettingsInput(strict),
    answer: success.extend({ warnings: z.array(z.string()).optional() }),
    also: [409],
  },
  "GET /admin/settings/messages": {
    does: "Returns how messages reach people beside SMS.",
    may: "settings.edit",
    answer: messageSettings,
  },
  "POST /admin/settings/messages": {
    does: "Saves the named message settings and keeps the rest. They apply at once.",
    may: "settings.edit",
    body: messageSettingsInput(strict),
    answer: success,
    also: [409],
  },
  "POST /admin/settings/messages/test": {
    does: "Sends a test e-mail by the saved settings. If it was not accepted, `success` is false and `detail` says why.",
    may: "settings.edit",
    body: emailTestInput,
    answer: emailTest,
  },
  "GET /admin/settings/guardrails": {
    does: "Returns the guardrail settings.",
    may: "guardrails.edit",
    answer: records.guardrailSettings,
  },
  "POST /admin/settings/guardrails": {
    does: "Saves the named guardrail settings and keeps the rest. They apply at once.",
    may: "guardrails.edit",
    body: guardrailSettingsInput,
    answer: success,
    also: [409],
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
