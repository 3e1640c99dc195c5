import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { answer, fields, text, version } from "#app/forms/form-answer";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { DeviceList } from "./device-list";
import { guardrailNow } from "./guardrail-now";
import { toggleHandler } from "./toggle-handler";

export const meta: MetaFunction = () => [{ title: "Devices · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  create: "Failed to save device",
  save: "Failed to save device",
  remove: "Failed to delete device",
  toggle: "Failed to toggle device",
};

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const guardrail = services.settings.guardrails().then(guardrailNow);
  const devices = services.devices.page(queryOf(args.request)).then(async (page) => {
    const sentences = await services.devices.sentences(page.rows);
    return { ...page, sentences, guardrail: await guardrail };
  });
  return { devices: deferred(devices) };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  const device = () => fields(form, ...FIELDS);
  const handlers = {
    create: { run: () => services.devices.create(device()), done: "Device created successfully" },
    save: { run: () => services.devices.save(id, device(), version(form)), done: "Device updated successfully" },
    remove: { run: () => services.devices.remove(id), done: `Device "${text(form, "name")}" deleted successfully` },
    toggle: toggleHandler(text(form, "action"), (action) => services.devices.toggle(id, { action })),
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Devices() {
  return <DeviceList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Device Management" text="Failed to fetch devices" />;

const FIELDS = [
  "name",
  "area_id",
  "hub_id",
  "dept_id",
  "model",
  "cloud_device_id",
  "local_ref",
  "on_payload",
  "off_payload",
  "notes",
];
