import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { closedAreas } from "#app/lists/closed-areas";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { answer, optional, text, version } from "#app/forms/form-answer";
import { deferred } from "#app/router/deferred";
import { queryOf } from "#app/router/query";
import { isAnotherList } from "#app/router/view";
import { counted } from "#domain/counted";
import { requireUser } from "#app/session/session";
import { AlarmList, type Alarms as Arrived } from "./alarm-list";

export const meta: MetaFunction = () => [{ title: "Alarms · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  acknowledge: "Failed to acknowledge the alarm",
  acknowledge_all: "Failed to acknowledge the alarms",
  assign: "Failed to assign the alarm",
  workorder: "Failed to make a work order",
};

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const both = Promise.all([services.alarms.page(queryOf(args.request)), services.areas.list()]);
  return {
    alarms: deferred(both.then(([page, areas]): Arrived => ({ ...page, areas: closedAreas(areas, args.request) }))),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  const assigned_to = optional(form, "assigned_to");
  const handlers = {
    acknowledge: { run: () => services.alarms.acknowledge(id), done: "Alarm acknowledged" },
    acknowledge_all: {
      run: async () => {
        const input = { told_until: text(form, "told_until"), area_id: optional(form, "area_id") };
        const count = await services.alarms.acknowledgeAll(input);
        return { ok: true, toast: `${counted(count, "alarm")} acknowledged`, detail: null };
      },
    },
    assign: {
      run: () => services.alarms.assign(id, { assigned_to }, version(form)),
      done: assigned_to === null ? "Nobody has the alarm now" : "Alarm assigned",
    },
    workorder: {
      run: async () => {
        const made = await services.alarms.makeWorkorder(id);
        throw redirect(`/workorders?${new URLSearchParams({ q: made.title, edit: made.id })}`);
      },
    },
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Alarms() {
  return <AlarmList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Alarms" text="Failed to load alarms" />;
