import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { closedAreas } from "#app/lists/closed-areas";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { logFailure } from "#app/router/log-failure";
import { isAnotherList } from "#app/router/view";
import { answer, text, version, type Outcome } from "#app/forms/form-answer";
import { filled, inputOf } from "#app/forms/form-fields";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { hubInput } from "#domain/hubs/hub-schema";
import type { HubHealth } from "#domain/records/records";
import { HubList } from "./hub-list";

export const meta: MetaFunction = () => [{ title: "Hubs · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const NO_CREDENTIALS = { local_client_id: "", local_client_secret: "" };
const FAILED = { create: "Failed to save hub", save: "Failed to save hub", remove: "Failed to delete hub" };

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  // A failure of hub health is only logged, since the list is useful without it.
  const health = services.hubs.health().catch((error: unknown): HubHealth[] => (logFailure(error), []));
  const hubs = services.hubs.page(queryOf(args.request)).then(async (page) => ({
    ...page,
    areas: closedAreas(page.areas, args.request),
    health: new Map((await health).map((row) => [row.hub_id, row])),
    now: Date.now(),
  }));
  return { hubs: deferred(hubs) };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const id = text(form, "id");
  const hub = () => hubOf(form);
  const handlers = {
    create: { run: async () => told("Hub created successfully", await services.hubs.create(hub())), over: "save" },
    save: { run: async () => told("Hub updated successfully", await services.hubs.save(id, hub(), version(form))) },
    remove: { run: () => services.hubs.remove(id), done: "Hub deleted successfully" },
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Hubs() {
  return <HubList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Hub Management" text="Failed to fetch hubs" />;

/** What people may not expect is said at once, not by the first light that stays dark. */
function told(toast: string, { warnings }: { warnings: string[] }): Outcome {
  return { ok: true, toast, detail: warnings.join(" ") || null };
}

/** Empty credentials keep the stored ones. */
function hubOf(form: FormData) {
  const { local_client_id, local_client_secret, ...hub } = inputOf(form, hubInput({ loopback: false }));
  if (form.has("remove_credentials")) return { ...hub, ...NO_CREDENTIALS };
  return { ...hub, ...filled({ local_client_id, local_client_secret }) };
}
