import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { answer, text, version } from "#app/forms/form-answer";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import type { DeviceChoices, Schedule, ScheduleWithNights } from "#domain/records";
import { describeRule } from "#domain/describe-rule";
import { comingOccurrences, nextStart, occurrences } from "#domain/recurrence";
import type { Recurring } from "#domain/schedule";
import { toLocalInput } from "#domain/display";
import { ScheduleList } from "./schedule-list";
import { scheduleSent, skipSent } from "./schedule-sent";
import type { DescribedSchedule } from "./schedule-row";

export const meta: MetaFunction = () => [{ title: "Schedules · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  create: "Failed to save schedule",
  save: "Failed to save schedule",
  cancel: "Failed to cancel schedule",
  skip: "Failed to skip the night",
  unskip: "Failed to unskip the night",
};

/** As many nights as the form to skip one offers. */
const NIGHTS = 12;

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

/** Described on the server, to keep the recurrence library out of the list's bundle. */
function described(whole: ScheduleWithNights): DescribedSchedule {
  const { positions: _, calendar: __, skips, ...schedule } = whole;
  const now = Date.now();
  const isOpen = schedule.status === "scheduled";
  const today = toLocalInput(now, schedule.timezone).date;
  return {
    ...schedule,
    words: describeRule(schedule),
    next: schedule.rrule !== null && isOpen ? nextStart(whole, now) : null,
    is_running: isOpen && occurrences(whole, now, now + 1).length > 0,
    left: isOpen ? leftOf(whole, now) : 0,
    nights: isOpen && schedule.rrule !== null ? comingOccurrences(whole, now, NIGHTS) : [],
    skipped: isOpen && skips ? skips.filter(({ date }) => date >= today) : [],
  };
}

/** How many of its windows are not over yet; null if it never ends. */
function leftOf(schedule: Pick<Schedule, "last_end_at"> & Recurring, now: number): number | null {
  const end = schedule.last_end_at;
  return end === null ? null : occurrences(schedule, now, Date.parse(end)).length;
}
