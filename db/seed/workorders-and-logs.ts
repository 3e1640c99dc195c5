import type { audit_logs, connectivity_logs, workorders } from "#db/schema";
import type { AuditResource, WorkorderPriority, WorkorderStatus } from "#domain/enums";
import { DEAD_HUB, DEAD_LAMP } from "./broken";
import { random } from "./prng";
import type { Lamp } from "./hubs-and-devices";
import { demoUserId } from "#db/demo-accounts";
import { HARBOR, lampId, PARKS, QUAYS, RIVERS, SPORTS } from "./places";
import { HOUR_MS } from "#domain/time/units";
import { toIso } from "#domain/time/to-iso";

type Order = {
  org_id?: string;
  title: string;
  description?: string;
  status: WorkorderStatus;
  priority: WorkorderPriority;
  dept_id?: string;
  light?: [place: string, light: string];
  assignee?: string;
  age_h: number;
};

const ORDERS: Order[] = [
  {
    title: "Lens cracked on the rose garden pole",
    description: "A branch came down in Tuesday's wind. Water gets in; switch it off at the cabinet first.",
    status: "open",
    priority: "high",
    light: ["linden", "Rose garden"],
    assignee: "employee@parks.example",
    age_h: 20,
  },
  {
    title: "Orchard hub does not answer",
    description: "Offline since yesterday. Check the breaker and the modem's light.",
    status: "open",
    priority: "urgent",
    dept_id: RIVERS,
    light: ["orchard", "Orchard lower"],
    age_h: 25,
  },
  {
    title: "Aim the south mast away from the houses",
    status: "in_progress",
    priority: "medium",
    dept_id: SPORTS,
    light: ["alder", "Pitch A south mast"],
    assignee: "employee@parks.example",
    age_h: 70,
  },
  {
    title: "Replace four drivers on Diamond 2",
    description: "Spares are on the shelf behind the clubhouse workshop door.",
    status: "completed",
    priority: "medium",
    dept_id: SPORTS,
    light: ["eastbank", "Diamond 2 infield"],
    assignee: "employee@parks.example",
    age_h: 150,
  },
  { title: "Label the cabinets in Linden Park", status: "open", priority: "low", age_h: 160 },
  {
    title: "Extra light for the lantern parade",
    description: "The parade has moved to the river; not needed here.",
    status: "canceled",
    priority: "low",
    light: ["plaza", "Clock tower"],
    age_h: 130,
  },
  {
    title: "Bike counter lamp does not come on",
    description: "The hub answers, the lamp does not. Look for water in the base first.",
    status: "open",
    priority: "high",
    dept_id: RIVERS,
    light: ["viaduct", "Bike counter"],
    assignee: "employee@parks.example",
    age_h: 15,
  },
  {
    title: "Ivy over the weir steps fitting",
    status: "in_progress",
    priority: "high",
    dept_id: RIVERS,
    light: ["miller", "Weir steps"],
    assignee: "manager@parks.example",
    age_h: 44,
  },
  {
    org_id: HARBOR,
    title: "Salt on the slipway lens",
    status: "open",
    priority: "medium",
    dept_id: QUAYS,
    light: ["quay", "Slipway"],
    assignee: "admin@harbor.example",
    age_h: 30,
  },
  {
    org_id: HARBOR,
    title: "Crane apron: test after the storm",
    status: "completed",
    priority: "urgent",
    light: ["pier", "Crane apron"],
    assignee: "regional@parks.example",
    age_h: 100,
  },
];

export function workorderRows(now: number): (typeof workorders.$inferInsert)[] {
  return ORDERS.map((order, nth) => {
    const created_at = toIso(now - order.age_h * HOUR_MS);
    const org_id = order.org_id ?? PARKS;
    return {
      id: `demo-order-${nth + 1}`,
      org_id,
      title: order.title,
      description: order.description ?? null,
      status: order.status,
      priority: order.priority,
      dept_id: order.dept_id ?? null,
      device_id: order.light ? lampId(...order.light) : null,
      area_id: order.light ? `demo-area-${order.light[0]}` : null,
      assigned_to: order.assignee ? demoUserId(order.assignee) : null,
      created_by: demoUserId(org_id === PARKS ? "manager@parks.example" : "admin@harbor.example"),
      completed_at: order.status === "completed" ? toIso(now - (order.age_h - 27) * HOUR_MS) : null,
      created_at,
      updated_at: created_at,
    };
  });
}

/** Connectivity tests of hubs and lights, one of them without an answer. */
export function connectivityRows(lamps: Lamp[], now: number): (typeof connectivity_logs.$inferInsert)[] {
  const tested = lamps.filter((lamp) => random(`${lamp.id} tested`) < 0.2);
  return tested.flatMap((lamp) => {
    const at = now - Math.round((2 + random(`${lamp.id} test at`) * 160) * HOUR_MS);
    const isAnswered = lamp.hub_id !== DEAD_HUB && lamp.cloud_device_id !== DEAD_LAMP;
    const of = {
      org_id: lamp.org_id,
      dept_id: lamp.dept_id ?? null,
      device_id: lamp.id,
      device_name: lamp.name,
      hub_name: lamp.hub_name,
      provider: "mock" as const,
      result: isAnswered ? ("success" as const) : ("failure" as const),
    };
    const steps = ["ping_hub", "status_check", "on", "off"] as const;
    return steps
      .filter((action) => action !== "ping_hub" || lamp.hub_name !== null)
      .map((action, nth) => ({
        ...of,
        id: `demo-test-${lamp.id}-${action}`,
        created_at: toIso(at + nth * 1500),
        action,
        response_snippet: isAnswered
          ? SNIPPETS[action]
          : lamp.hub_id === DEAD_HUB
            ? "mock: not reachable"
            : "mock: 000201",
      }));
  });
}

const SNIPPETS = {
  ping_hub: "mock: hub answers",
  status_check: "mock: state off",
  on: "mock: state on",
  off: "mock: state off",
} as const;

/** A week of sign-ins and changes. */
export function auditRows(now: number): (typeof audit_logs.$inferInsert)[] {
  return ENTRIES.map(([age_h, email, actor_role, action, resource_type, details], nth) => ({
    id: `demo-audit-${nth + 1}`,
    org_id: email.endsWith("@harbor.example") ? HARBOR : PARKS,
    created_at: toIso(now - age_h * HOUR_MS),
    actor_id: demoUserId(email),
    actor_email: email,
    actor_role,
    action,
    resource_type,
    resource_id: null,
    details,
  }));
}

type Entry = [
  age_h: number,
  email: string,
  role: string,
  action: string,
  resource_type: AuditResource,
  details: Record<string, unknown>,
];

const ENTRIES: Entry[] = [
  [167, "admin@parks.example", "admin", "login", "session", { address: "203.0.113.20" }],
  [
    166.9,
    "admin@parks.example",
    "admin",
    "update",
    "settings",
    { before: { MAX_ON_DURATION_MIN: 300 }, after: { MAX_ON_DURATION_MIN: 240 } },
  ],
  [
    160,
    "manager@parks.example",
    "manager",
    "create",
    "workorder",
    { after: { title: "Label the cabinets in Linden Park" } },
  ],
  [
    130,
    "manager@parks.example",
    "manager",
    "cancel",
    "schedule",
    { before: { title: "Lantern parade", status: "scheduled" }, after: { status: "canceled" } },
  ],
  [101, "admin@harbor.example", "admin", "login", "session", { address: "203.0.113.20" }],
  [
    100,
    "admin@harbor.example",
    "admin",
    "create",
    "workorder",
    { after: { title: "Crane apron: test after the storm" } },
  ],
  [70, "manager@parks.example", "manager", "login", "session", { address: "203.0.113.20" }],
  [
    69.8,
    "manager@parks.example",
    "manager",
    "update",
    "device",
    { before: { name: "Alder lot" }, after: { name: "Alder car park" } },
  ],
  [
    46,
    "admin@parks.example",
    "admin",
    "update",
    "area",
    { before: { name: "Cannery Green", active: true }, after: { name: "Cannery Green", active: false } },
  ],
  [25, "manager@parks.example", "manager", "create", "workorder", { after: { title: "Orchard hub does not answer" } }],
  [24, "employee@parks.example", "employee", "login", "session", { address: "203.0.113.20" }],
  [
    20,
    "employee@parks.example",
    "employee",
    "update",
    "workorder",
    { before: { status: "open" }, after: { status: "in_progress" } },
  ],
];
