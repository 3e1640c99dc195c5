import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { queryOf } from "#app/router/query";
import { ArrowLeft } from "#app/ui/icons";
import { AccessDenied } from "#app/components/access-denied";
import { ButtonLink } from "#app/components/button-link";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { answer, fields, text } from "#app/forms/form-answer";
import { deferred } from "#app/router/deferred";
import { Streamed } from "#app/router/streamed";
import { wasSent } from "#app/router/view";
import { requireUser } from "#app/session/session";
import { counted } from "#domain/counted";
import { can } from "#domain/organization/permissions";
import { LoadingBlock } from "#app/ui/spinner";
import { AccountChoice } from "./account-choice";
import { AccountForm } from "./account-form";
import { listOf } from "./list-of";

export const meta: MetaFunction = () => [{ title: "Add from the hub account · Lamplighter" }];

/** Reads the list anew after devices were added, and when another is asked for; polling would use up the vendor's calls. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return (wasSent(args) || args.currentUrl.href !== args.nextUrl.href) && args.defaultShouldRevalidate;
}

const FAILED = { add: "Failed to add the devices" };
const UNLISTED = "Failed to list the hub account";

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  if (!can(user, "device.save")) return null;
  const { hub: hub_id = "" } = queryOf(args.request);
  const [areas, hubs] = await Promise.all([services.areas.list(), services.hubs.list()]);
  return {
    hub_id,
    areas: areas.map(({ id, name }) => ({ id, name })),
    hubs: hubs.map(({ id, name, area_id, area_name }) => ({ id, name, area_id, area_name })),
    account: deferred(listOf(services.hubAccount.list({ hub_id }))),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const ids = form.getAll("device").filter((id) => typeof id === "string");
  const input = () => ({
    ...fields(form, "area_id", "hub_id", "dept_id"),
    devices: ids.map((id) => ({
      cloud_device_id: id,
      name: text(form, `name:${id}`),
      model: text(form, `model:${id}`),
    })),
  });
  const done = `${counted(ids.length, "device")} added`;
  return answer(user, form, { add: { run: () => services.hubAccount.add(input()), done } }, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function HubAccount() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Add from the hub account" text="Devices that the vendor's account knows" wraps>
        {loaded && (
          <ButtonLink to="/import" icon={<ArrowLeft className="size-4" />}>
            Import
          </ButtonLink>
        )}
      </PageHeader>
      {loaded ? (
        <>
          <AccountChoice hub_id={loaded.hub_id} hubs={loaded.hubs} />
          <Streamed list={loaded.account} loading={<LoadingBlock label="Listing the account..." />} failed={UNLISTED}>
            {(account) => <AccountForm {...account} areas={loaded.areas} hubs={loaded.hubs} />}
          </Streamed>
        </>
      ) : (
        <AccessDenied capability="device.save" />
      )}
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Add from the hub account" text={UNLISTED} />;
