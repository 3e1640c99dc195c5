import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { answer } from "#app/forms/form-answer";
import { deferred } from "#app/router/deferred";
import { queryOf } from "#app/router/query";
import { isAnotherList } from "#app/router/view";
import { attentionHandlers } from "#app/routes/attention/attention-handlers";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { described } from "#app/routes/schedules/described";
import { skipNight } from "#app/routes/schedules/skip-night";
import { switchHandler } from "#app/routes/switch/switch-handler";
import { requireUser } from "#app/session/session";
import { frameOf } from "#domain/tonight/tonight-schema";
import type { SignedIn } from "#worker/context";
import type { Night } from "./night";
import { TONIGHT_FAILED } from "./tonight-failures";
import { TonightScreen } from "./tonight-screen";

export const meta: MetaFunction = () => [{ title: "Tonight · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const query = queryOf(args.request);
  const { APP_TIMEZONE: zone } = await services.settings.find();
  const frame = frameOf(query.date, zone, Date.now());
  // An old link or a date that was typed: there is always a night that runs.
  if (frame === null) throw redirect("/tonight");
  const skipped = query.skip ? await foundOrNull(services.schedules.find(query.skip)) : null;
  return {
    frame,
    view: query.view === "list" ? ("list" as const) : ("chart" as const),
    skipped: skipped && described(skipped, frame),
    night: deferred(nightWith(services, query, frame.kind === "running")),
  };
}

/** More than the worst would push the night out of sight. */
const MOST_WRONG = 4;

async function nightWith(
  { tonight, attention }: SignedIn["services"],
  query: Record<string, string>,
  isRunning: boolean,
): Promise<Night> {
  const [night, wrong] = await Promise.all([tonight.page(query), isRunning ? attention.list() : null]);
  return { ...night, attention: wrong && { ...wrong, items: wrong.items.slice(0, MOST_WRONG) } };
}

export async function action(args: ActionFunctionArgs) {
  const signedIn = await requireUser(args);
  const { user, services } = signedIn;
  const form = await args.request.formData();
  const handlers = {
    ...attentionHandlers(services, form),
    switch: switchHandler(services, form),
    skip: { run: () => skipNight(signedIn, form) },
  };
  return answer(user, form, handlers, TONIGHT_FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, TONIGHT_FAILED);

export default function Tonight() {
  return <TonightScreen {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Tonight" text="Failed to load tonight" />;
