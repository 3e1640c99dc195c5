import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { answer, fields, text, version } from "#app/forms/form-answer";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { AreaList } from "./area-list";

export const meta: MetaFunction = () => [{ title: "Areas · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = { create: "Failed to save area", save: "Failed to save area", remove: "Failed to delete area" };

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  return { areas: deferred(services.areas.page(queryOf(args.request))) };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  const handlers = {
    create: { run: () => services.areas.create(areaOf(form)), done: "Area created successfully" },
    save: { run: () => services.areas.save(id, areaOf(form), version(form)), done: "Area updated successfully" },
    remove: { run: () => services.areas.remove(id), done: `Area "${text(form, "name")}" deleted successfully` },
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Areas() {
  return <AreaList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Area Management" text="Failed to fetch areas" />;

function areaOf(form: FormData) {
  const location = fields(form, "address", "lat", "lon");
  return { ...fields(form, "name", "type"), location, active: form.has("active") };
}
