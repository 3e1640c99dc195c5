import { index, layout, route, type RouteConfig } from "@remix-run/route-config";

/** Every other path is unknown and leads to the dashboard. */
export default [
  route("login", "routes/login/route.tsx"),
  route("sign-out", "routes/session/sign-out.ts"),
  route("switch-org", "routes/session/switch-org.ts"),
  route("switch-dept", "routes/session/switch-dept.ts"),
  route("theme", "routes/session/theme.ts"),
  route("find", "routes/find/route.ts"),
  route("no-script", "routes/session/no-script.ts"),
  route("choices", "routes/choices/route.ts"),
  route("export/:log", "routes/export/route.ts"),
  route("workorders/choices", "routes/workorders/choices.ts"),
  layout("routes/layout/route.tsx", [
    index("routes/dashboard/route.tsx"),
    route("dashboard", "routes/dashboard/route.tsx", { id: "dashboard" }),
    route("areas", "routes/areas/route.tsx"),
    route("areas/:id", "routes/area/route.tsx"),
    route("hubs", "routes/hubs/route.tsx"),
    route("devices", "routes/devices/route.tsx"),
    route("devices/:id", "routes/device/route.tsx"),
    route("schedules", "routes/schedules/route.tsx"),
    route("workorders", "routes/workorders/route.tsx"),
    route("history", "routes/history/route.tsx"),
    route("events", "routes/events/route.tsx"),
    route("departments", "routes/departments/route.tsx"),
    route("connectivity", "routes/connectivity/route.tsx"),
    route("guardrails", "routes/guardrails/route.tsx"),
    route("settings", "routes/settings/route.tsx"),
    route("change-password", "routes/change-password/route.tsx"),
  ]),
  route("*", "routes/session/unknown.ts"),
] satisfies RouteConfig;
