import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { answer, fields, text, texts, version } from "#app/forms/form-answer";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import type { Schedule } from "#domain/records";
import { describeRule, nextStart } from "#domain/recurrence";
import { TIMEZONES } from "#domain/enums";
import { draftSent, timesOf } from "./draft";
import { ScheduleList } from "./schedule-list";
import type { DescribedSchedule } from "./schedule-row";

export const meta: MetaFunction = () => [{ title: "Schedules · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  create: "Failed to save schedule",
  save: "Failed to save schedule",
  cancel: "Failed to cancel schedule",
};

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const schedules = services.schedules
    .page(queryOf(args.request))
    .then((page) => ({ ...page, rows: page.rows.map(described) }));
  return { schedules: deferred(schedules) };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  const schedule = () => ({ ...fields(form, ...FIELDS), ...timesSent(form) });
  const handlers = {
    create: { run: () => services.schedules.create(schedule()), done: "Schedule created successfully" },
    save: { run: () => services.schedules.save(id, schedule(), version(form)), done: "Schedule updated successfully" },
    cancel: { run: () => services.schedules.cancel(id), done: "Schedule canceled successfully" },
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Schedules() {
  return <ScheduleList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Schedule Management" text="Failed to fetch schedules" />;

const FIELDS = ["title", "area_id", "device_id", "description_short", "timezone"];

/** Described on the server, to keep the recurrence library out of the list's bundle. */
function described(schedule: Schedule): DescribedSchedule {
  const repeats = schedule.rrule !== null && schedule.status === "scheduled";
  return { ...schedule, words: describeRule(schedule), next: repeats ? nextStart(schedule, Date.now()) : null };
}

function timesSent(form: FormData) {
  const zone = TIMEZONES.find((zone) => zone === text(form, "timezone"));
  return zone && timesOf(draftSent(texts(form)), zone);
}
