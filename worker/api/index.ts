import { Hono } from "hono";
import { agentsApi } from "#worker/api/agents";
import { alarmsApi } from "#worker/api/alarms";
import { areasApi } from "#worker/api/areas";
import { auditLogsApi } from "#worker/api/audit-logs";
import { authApi } from "#worker/api/auth";
import { calendarsApi } from "#worker/api/calendars";
import { closuresApi } from "#worker/api/closures";
import { connectivityApi } from "#worker/api/connectivity";
import { dashboardApi } from "#worker/api/dashboard";
import { departmentsApi } from "#worker/api/departments";
import { devicesApi } from "#worker/api/devices";
import { docs } from "#worker/api/docs";
import { groupsApi } from "#worker/api/groups";
import { forecastApi } from "#worker/api/forecast";
import { healthApi } from "#worker/api/health";
import { historyApi } from "#worker/api/history";
import { hubAccountApi } from "#worker/api/hub-account";
import { hubsApi } from "#worker/api/hubs";
import { importsApi } from "#worker/api/imports";
import { inventoryApi } from "#worker/api/inventory";
import { publicHealth } from "#worker/health/public";
import { knownRoute } from "#worker/api/known-route";
import { onError } from "#worker/api/on-error";
import { openApi } from "#worker/api/openapi";
import { permitsApi } from "#worker/api/permits";
import { policiesApi } from "#worker/api/policies";
import { schedulerEventsApi } from "#worker/api/scheduler-events";
import { messagesApi } from "#worker/api/messages";
import { nightsApi } from "#worker/api/nights";
import { notificationsApi } from "#worker/api/notifications";
import { schedulesApi } from "#worker/api/schedules";
import { signedIn, type ApiEnv } from "#worker/api/session";
import { settingsApi } from "#worker/api/settings";
import { usersApi } from "#worker/api/users";
import { webhooksApi } from "#worker/api/webhooks";
import { workordersApi } from "#worker/api/workorders";

/** The calls for signed-in people. */
export const resources = new Hono<ApiEnv>()
  .route("/alarms", alarmsApi)
  .route("/areas", areasApi)
  .route("/hubs", hubsApi)
  .route("/health", healthApi)
  .route("/hub-account", hubAccountApi)
  .route("/imports", importsApi)
  .route("/inventory", inventoryApi)
  .route("/devices", devicesApi)
  .route("/groups", groupsApi)
  .route("/schedules", schedulesApi)
  .route("/permits", permitsApi)
  .route("/closures", closuresApi)
  .route("/calendars", calendarsApi)
  .route("/dashboard", dashboardApi)
  .route("/workorders", workordersApi)
  .route("/departments", departmentsApi)
  .route("/users", usersApi)
  .route("/messages", messagesApi)
  .route("/forecast", forecastApi)
  .route("/nights", nightsApi)
  .route("/history", historyApi)
  .route("/scheduler", schedulerEventsApi)
  .route("/admin/agents", agentsApi)
  .route("/admin/notifications", notificationsApi)
  .route("/admin/audit-logs", auditLogsApi)
  .route("/admin/connectivity", connectivityApi)
  .route("/admin/webhooks", webhooksApi)
  .route("/admin/policies", policiesApi)
  .route("/admin/settings", settingsApi);

/** Every call of the API. Routes before `signedIn` are public or check the session themselves. */
export const api: Hono<ApiEnv> = new Hono<ApiEnv>()
  .basePath("/api")
  .use(knownRoute(() => api.routes))
  .get("/health", publicHealth)
  .get("/alive", (c) => c.json({ status: "ok" }))
  .get("/openapi.json", (c) => c.json(openApi()))
  .get("/docs", docs)
  .route("/auth", authApi)
  .use(signedIn)
  .route("/", resources)
  .onError(onError);
