import { beforeAll, describe, expect, test } from "vitest";
import { can, type Capability } from "#domain/permissions";
import { isRefusal } from "#domain/errors";
import { ROLES, type Role } from "#domain/enums";
import type { Services } from "#worker/context";
import { servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

type VerbOf<Service extends keyof Services> = `${Service}.${keyof Services[Service] & string}`;
type Verb = { [Service in keyof Services]: VerbOf<Service> }[keyof Services];

/** The capability that each service verb requires, also those that only screens call; null for every signed-in person. */
const ASKS: Record<Verb, Capability | null> = {
  "agents.list": "agent.see",
  "agents.choices": "hub.see",
  "agents.create": "agent.edit",
  "agents.save": "agent.edit",
  "agents.rotate": "agent.edit",
  "agents.revoke": "agent.edit",
  "agents.remove": "agent.edit",
  "alarms.list": "alarm.see",
  "alarms.page": "alarm.see",
  "alarms.openCount": "alarm.see",
  "alarms.acknowledge": "workorder.save",
  "alarms.assign": "workorder.save",
  "alarms.makeWorkorder": "workorder.save",
  "areas.list": "area.see",
  "areas.page": "area.see",
  "areas.find": "area.see",
  "areas.detail": "area.see",
  "areas.guardrails": "area.see",
  "areas.toggle": "device.toggle",
  "areas.create": "area.save",
  "areas.save": "area.save",
  "areas.remove": "area.delete",
  "attention.list": "dashboard.see",
  "attention.onNow": "dashboard.see",
  "audit.list": "audit.see",
  "audit.page": "audit.see",
  "audit.csv": "audit.see",
  "calendars.list": "calendar.see",
  "calendars.create": "calendar.save",
  "calendars.save": "calendar.save",
  "calendars.importFile": "calendar.save",
  "calendars.remove": "calendar.save",
  "closures.list": "closure.see",
  "closures.create": "closure.save",
  "closures.save": "closure.save",
  "closures.remove": "closure.save",
  "connectivity.list": "connectivity.test",
  "connectivity.pingHub": "connectivity.test",
  "connectivity.readState": "connectivity.test",
  "connectivity.testSwitch": "connectivity.test",
  "connectivity.endTest": "connectivity.test",
  "dashboard.list": "dashboard.see",
  "dashboard.page": "dashboard.see",
  "dashboard.find": "dashboard.see",
  "dashboard.places": "dashboard.see",
  "departments.list": "department.see",
  "departments.create": "department.edit",
  "departments.save": "department.edit",
  "departments.remove": "department.edit",
  "departments.members": "department.edit",
  "departments.addMember": "department.edit",
  "departments.removeMember": "department.edit",
  "dependents.area": "area.delete",
  "dependents.hub": "hub.delete",
  "dependents.device": "device.delete",
  "dependents.department": "department.edit",
  "devices.list": "device.see",
  "devices.page": "device.see",
  "devices.choices": "device.see",
  "devices.find": "device.see",
  "devices.detail": "device.see",
  "devices.create": "device.save",
  "devices.save": "device.save",
  "devices.remove": "device.delete",
  "devices.explain": "device.see",
  "devices.told": "device.see",
  "devices.nextOn": "device.see",
  "devices.toggle": "device.toggle",
  "messageSettings.find": "settings.edit",
  "messageSettings.save": "settings.edit",
  "messageSettings.testEmail": "settings.edit",
  "webhooks.list": "settings.edit",
  "webhooks.create": "settings.edit",
  "webhooks.save": "settings.edit",
  "webhooks.rotate": "settings.edit",
  "webhooks.remove": "settings.edit",
  "webhooks.test": "settings.edit",
  "webhooks.deliveries": "settings.edit",
  "webhooks.sendAgain": "settings.edit",
  "groups.list": "group.see",
  "groups.find": "group.see",
  "groups.toggle": "device.toggle",
  "groups.create": "group.save",
  "groups.save": "group.save",
  "groups.remove": "group.delete",
  "forecast.list": "forecast.see",
  "history.list": "history.see",
  "history.page": "history.see",
  "history.csv": "history.see",
  "hubAccount.list": "device.save",
  "hubAccount.add": "device.save",
  "hubs.list": "hub.see",
  "hubs.page": "hub.see",
  "hubs.health": "hub.see",
  "hubs.warning": "hub.see",
  "hubs.create": "hub.save",
  "hubs.save": "hub.save",
  "hubs.remove": "hub.delete",
  "imports.list": "import.run",
  "imports.find": "import.run",
  "imports.create": "import.run",
  "imports.upload": "import.run",
  "imports.apply": "import.run",
  "imports.inventory": "import.run",
  "imports.template": "import.run",
  "nights.list": "night.see",
  "notifications.list": "notifications.see",
  "permits.list": "permit.see",
  "permits.create": "permit.save",
  "permits.remove": "permit.save",
  "policies.list": "guardrails.edit",
  "policies.save": "guardrails.edit",
  "policies.remove": "guardrails.edit",
  "schedules.list": "schedule.see",
  "schedules.page": "schedule.see",
  "schedules.find": "schedule.see",
  "schedules.create": "schedule.save",
  "schedules.preview": "schedule.save",
  "schedules.save": "schedule.save",
  "schedules.skip": "schedule.save",
  "schedules.unskip": "schedule.save",
  "schedules.cancel": "schedule.cancel",
  "schedulerEvents.list": "events.see",
  "schedulerEvents.page": "events.see",
  "schedulerEvents.csv": "events.see",
  "settings.find": null,
  "settings.guardrails": null,
  "settings.night": null,
  "settings.findSystem": "settings.edit",
  "settings.saveSystem": "settings.edit",
  "settings.findGuardrails": "guardrails.edit",
  "settings.saveGuardrails": "guardrails.edit",
  "tonight.page": "night.see",
  "tonight.lights": "night.see",
  "tonight.area": "night.see",
  "tonight.light": "night.see",
  "users.list": "user.see",
  "users.invite": "user.edit",
  "users.save": "user.edit",
  "users.remove": "user.edit",
  "users.resetPassword": "user.edit",
  "week.page": "schedule.see",
  "workorders.list": "workorder.see",
  "workorders.page": "workorder.see",
  "workorders.create": "workorder.save",
  "workorders.save": "workorder.save",
  "workorders.remove": "workorder.delete",
};

/** An unknown role, which may do nothing, to find a verb without a permission check. */
const NOBODY: Role = JSON.parse('"nobody"');

/** The refusal's code, or 'done'. */
async function outcome(verb: string, role: Role): Promise<string> {
  const [service = "", name = ""] = verb.split(".");
  const services = servicesOf("manager", { role });
  const run: unknown = Reflect.get(Reflect.get(services, service), name);
  if (typeof run !== "function") return "no such verb";
  try {
    await run.call(undefined, UNFIT, UNFIT);
    return "done";
  } catch (caught) {
    return isRefusal(caught) ? caught.code : "failed";
  }
}

/** An unknown id, an input without fields and an empty list in one, so that no verb changes anything. */
const UNFIT = Object.assign([], { toString: () => "nowhere" });

test("the table has every verb of every service", () => {
  const services: Record<string, object> = servicesOf("admin");
  const verbs = Object.entries(services).flatMap(([service, all]) =>
    Object.keys(all).map((verb) => `${service}.${verb}`),
  );
  expect(verbs.toSorted()).toEqual(Object.keys(ASKS).toSorted());
});

describe.each(Object.entries(ASKS))("%s", (verb, capability) => {
  test.each([...ROLES, NOBODY])("as %s", async (role) => {
    const may = capability === null || (role !== NOBODY && can({ role }, capability));
    const is = await outcome(verb, role);
    if (may) expect(is).not.toBe("forbidden");
    else expect(is).toBe("forbidden");
  });
});
