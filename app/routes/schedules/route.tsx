import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Suspense } from "react";
import { Failure } from "#app/components/failure";
import { closedAreas } from "#app/lists/closed-areas";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { logFailure } from "#app/router/log-failure";
import { isAnotherList } from "#app/router/view";
import { answer, text, version } from "#app/forms/form-answer";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import type { Week } from "#app/week/week";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import type { DeviceChoices } from "#domain/records/records";
import type { SignedIn } from "#worker/context";
import { ScheduleList } from "./schedule-list";
import { described } from "./described";
import { nightSent, scheduleSent } from "./schedule-sent";
import { skipNight } from "./skip-night";
import { onDemand } from "#app/ui/on-demand";

export const meta: MetaFunction = () => [{ title: "Schedules · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  create: "Failed to save schedule",
  save: "Failed to save schedule",
  cancel: "Failed to cancel schedule",
  skip: "Failed to skip the night",
  unskip: "Failed to unskip the night",
};

/** Its code is loaded after the page, and not with the list. */
const WeekScreen = onDemand(() => import("./week/week-screen"));

const NO_CHOICES: DeviceChoices = { devices: [], isNarrowed: false };

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const query = queryOf(args.request);
  if (query.view === "week") {
    return { view: "week" as const, record: await recordOf(services, query), week: deferred(weekOf(services, query)) };
  }
  // The list is useful without them, so a failure is only logged.
  const choices = services.devices.choices(query).catch((caught: unknown) => (logFailure(caught), NO_CHOICES));
  const schedules = services.schedules.page(query).then(async (page) => ({
    ...page,
    areas: closedAreas(page.areas, args.request),
    rows: page.rows.map((row) => described(row)),
    named: await recordOf(services, query),
    devices: (await choices).devices.filter(({ area_id }) => !query.area || area_id === query.area),
  }));
  return { view: "list" as const, now: Date.now(), schedules: deferred(schedules) };
}

/** A link to an area or a group that is gone leads to the first one. */
async function weekOf({ week }: SignedIn["services"], query: Record<string, string>): Promise<Week> {
  return (await foundOrNull(week.page(query))) ?? week.page({ week: query.week });
}

/**
 * The schedule that the address opens a dialog for: a link may lead to one of another page, and a page without script cannot
 * fetch it later.
 */
async function recordOf({ schedules }: SignedIn["services"], query: Record<string, string>) {
  const id = query.edit ?? query.copy ?? query.skip ?? query.move ?? query.cancel;
  const schedule = id === undefined ? null : await foundOrNull(schedules.find(id));
  return schedule && described(schedule);
}

export async function action(args: ActionFunctionArgs) {
  const signedIn = await requireUser(args);
  const { user, services } = signedIn;
  const form = await args.request.formData();
  const id = text(form, "id");
  const schedule = () => scheduleSent(form, Date.now());
  const handlers = {
    create: { run: () => services.schedules.create(schedule()), done: "Schedule created successfully", over: "save" },
    save: { run: () => services.schedules.save(id, schedule(), version(form)), done: "Schedule updated successfully" },
    skip: { run: () => skipNight(signedIn, form) },
    unskip: {
      run: () => services.schedules.unskip(id, nightSent(form)),
      done: "The night is back in the schedule",
    },
    cancel: { run: () => services.schedules.cancel(id), done: "Schedule canceled successfully" },
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Schedules() {
  const loaded = useLoaderData<typeof loader>();
  if (loaded.view === "list") return <ScheduleList {...loaded} />;
  return (
    <Suspense>
      <WeekScreen week={loaded.week} record={loaded.record} />
    </Suspense>
  );
}

export const ErrorBoundary = () => <Failure screen="Schedule Management" text="Failed to fetch schedules" />;
