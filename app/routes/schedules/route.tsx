import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { answer, text, version } from "#app/forms/form-answer";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import type { DeviceChoices } from "#domain/records";
import { ScheduleList } from "./schedule-list";
import { described } from "./described";
import { scheduleSent, skipSent } from "./schedule-sent";

export const meta: MetaFunction = () => [{ title: "Schedules · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  create: "Failed to save schedule",
  save: "Failed to save schedule",
  cancel: "Failed to cancel schedule",
  skip: "Failed to skip the night",
  unskip: "Failed to unskip the night",
};

const NO_CHOICES: DeviceChoices = { devices: [], isNarrowed: false };

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const query = queryOf(args.request);
  // The list is useful without them, so a failure is only logged.
  const choices = services.devices.choices(query).catch((caught: unknown) => (console.error(caught), NO_CHOICES));
  const schedules = services.schedules.page(query).then(async (page) => ({
    ...page,
    rows: page.rows.map(described),
    devices: (await choices).devices.filter(({ area_id }) => !query.area || area_id === query.area),
  }));
  return { schedules: deferred(schedules) };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  const schedule = () => scheduleSent(form);
  const handlers = {
    create: { run: () => services.schedules.create(schedule()), done: "Schedule created successfully" },
    save: { run: () => services.schedules.save(id, schedule(), version(form)), done: "Schedule updated successfully" },
    skip: { run: () => services.schedules.skip(id, skipSent(form), version(form)), done: "Night skipped" },
    unskip: {
      run: () => services.schedules.unskip(id, { date: text(form, "date") }),
      done: "The night is back in the schedule",
    },
    cancel: { run: () => services.schedules.cancel(id), done: "Schedule canceled successfully" },
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Schedules() {
  return <ScheduleList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Schedule Management" text="Failed to fetch schedules" />;
