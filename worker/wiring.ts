import { waitUntil } from "cloudflare:workers";
import { database } from "#db/database";
import type { User } from "#domain/records/records";
import type { OrgScheduler } from "#durable/org-scheduler";
import { retentionDays } from "#worker/archive/retention-days";
import { addressOf } from "#worker/auth/address";
import { cookieToken, deviceToken } from "#worker/auth/cookie";
import type { AuthDeps } from "#worker/auth/deps";
import { sessionService } from "#worker/auth/session";
import { schedulerOf } from "#worker/scheduler";
import { alarmService } from "#worker/services/alarms";
import { agentService } from "#worker/services/agents";
import { areaService } from "#worker/services/areas";
import { attentionService } from "#worker/services/attention";
import { auditService } from "#worker/services/audit-logs";
import { calendarService } from "#worker/services/calendars";
import { closureService } from "#worker/services/closures";
import { connectivityService } from "#worker/services/connectivity";
import { dashboardService } from "#worker/services/dashboard";
import { departmentService } from "#worker/services/departments";
import { dependentService } from "#worker/services/dependents";
import { deviceService } from "#worker/services/devices";
import { groupService } from "#worker/services/groups";
import { forecastService } from "#worker/services/forecast";
import { historyService } from "#worker/services/history";
import { hubAccountService } from "#worker/services/hub-account";
import { hubService } from "#worker/services/hubs";
import { importService } from "#worker/services/imports";
import { messageChoiceService } from "#worker/services/message-choices";
import { messageSettingsService } from "#worker/services/message-settings";
import { nightService } from "#worker/services/nights";
import { notificationService } from "#worker/services/notifications";
import { permitService } from "#worker/services/permits";
import { policyService } from "#worker/services/policies";
import { scheduleService } from "#worker/services/schedules";
import { schedulerEventService } from "#worker/services/scheduler-events";
import type { Scope } from "#worker/services/scope";
import { searchService } from "#worker/services/search";
import { settingsService } from "#worker/services/settings";
import { tonightService } from "#worker/services/tonight";
import { userService } from "#worker/services/users";
import { webhookService } from "#worker/services/webhooks";
import { weekService } from "#worker/services/week";
import { workorderService } from "#worker/services/workorders";

/** The platform's bindings; wrangler's generated types do not type the object of the namespace, nor know what may be left out. */
export type Bindings = Omit<Env, "SCHEDULER" | "ARCHIVE"> & {
  SCHEDULER: DurableObjectNamespace<OrgScheduler>;
  ARCHIVE?: R2Bucket;
};

/** Every service, for whoever a scope is of. */
export function makeServices(scope: Scope) {
  return {
    agents: agentService(scope),
    alarms: alarmService(scope),
    areas: areaService(scope),
    attention: attentionService(scope),
    audit: auditService(scope),
    calendars: calendarService(scope),
    closures: closureService(scope),
    connectivity: connectivityService(scope),
    dashboard: dashboardService(scope),
    departments: departmentService(scope),
    dependents: dependentService(scope),
    devices: deviceService(scope),
    groups: groupService(scope),
    forecast: forecastService(scope),
    history: historyService(scope),
    hubAccount: hubAccountService(scope),
    hubs: hubService(scope),
    imports: importService(scope),
    messageChoices: messageChoiceService(scope),
    messageSettings: messageSettingsService(scope),
    nights: nightService(scope),
    notifications: notificationService(scope),
    permits: permitService(scope),
    policies: policyService(scope),
    schedules: scheduleService(scope),
    schedulerEvents: schedulerEventService(scope),
    search: searchService(scope),
    settings: settingsService(scope),
    tonight: tonightService(scope),
    webhooks: webhookService(scope),
    users: userService(scope),
    week: weekService(scope),
    workorders: workorderService(scope),
  };
}

/** What the services of one request work with: the person, their organization, and the bindings behind both doors. */
export function scopeOf(
  env: Bindings,
  execution: Pick<ExecutionContext, "waitUntil">,
  user: User,
  idempotency_key: string | null,
): Scope {
  return {
    user,
    org_id: user.current_org_id,
    db: database(env.DB),
    archive: env.ARCHIVE ?? null,
    log_days: retentionDays(env),
    scheduler: schedulerOf(env.SCHEDULER, execution),
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
    demo: env.DEMO === "on",
    direct: env.DEMO === "on" || env.DIRECT_HUBS === "on",
    settings_key: env.SETTINGS_KEY,
    idempotency_key,
    later: (work) => execution.waitUntil(work),
  };
}

/** The sessions of people, as one request may begin, find and end them. */
export function sessionsFor(env: Bindings, request: Request) {
  return sessionService(authDeps(env, request));
}

/** What signing in works with: the bindings, and what a request says of its browser. */
export function authDeps(env: Bindings, request: Request, idempotency_key: string | null = null): AuthDeps {
  return {
    db: database(env.DB),
    secret: env.SESSION_SECRET,
    settings_key: env.SETTINGS_KEY,
    address: addressOf(request, env.CLIENT_ADDRESS_HEADER),
    device_token: deviceToken(request),
    cookie_token: cookieToken(request),
    user_agent: request.headers.get("User-Agent"),
    idempotency_key,
    demo: env.DEMO === "on",
    sign_ins: env.SIGN_INS,
    sessionsChanged: (org_id) => schedulerOf(env.SCHEDULER, { waitUntil }).checkSessions(org_id),
    joined: (org_id) => schedulerOf(env.SCHEDULER, { waitUntil }).noteLists(org_id, ["users"]),
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  };
}
