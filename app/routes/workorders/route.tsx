import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { closedAreas } from "#app/lists/closed-areas";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { answer, text, version } from "#app/forms/form-answer";
import { inputOf } from "#app/forms/form-fields";
import { queryOf } from "#app/router/query";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { workorderInput } from "#domain/alarms/workorder-schema";
import { toldOfSave } from "./save-told";
import { WorkorderList } from "./workorder-list";

export const meta: MetaFunction = () => [{ title: "Workorders · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  create: "Failed to save workorder",
  save: "Failed to save workorder",
  remove: "Failed to delete workorder",
};

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const query = queryOf(args.request);
  const workorders = services.workorders.page(query).then(async (page) => ({
    ...page,
    now: Date.now(),
    areas: closedAreas(page.areas, args.request),
    edited: query.edit ? await foundOrNull(services.workorders.find(query.edit)) : null,
  }));
  return { workorders: deferred(workorders) };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  const workorder = () => inputOf(form, workorderInput);
  const handlers = {
    create: {
      run: () => services.workorders.create(workorder()),
      done: "Workorder created successfully",
      over: "save",
    },
    save: {
      run: async () => toldOfSave(form, await services.workorders.save(id, workorder(), version(form))),
    },
    remove: { run: () => services.workorders.remove(id), done: "Workorder deleted successfully" },
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Workorders() {
  return <WorkorderList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Workorders" text="Failed to load workorders" />;
