import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { closedAreas } from "#app/lists/closed-areas";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { deferred } from "#app/router/deferred";
import { deviceAction } from "./device-action";
import { DEVICE_FAILED } from "./device-failures";
import { deviceViewOf } from "./device-view";
import { DeviceList } from "./device-list";
import { listed } from "./listed-device";

export const meta: MetaFunction = () => [{ title: "Devices · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

export const action = deviceAction;

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const view = deviceViewOf(args.request);
  const query = queryOf(args.request);
  const devices = services.devices.page(query).then(async (page) => {
    const told = await services.devices.told(page.rows);
    const edited = query.edit === undefined ? null : await foundOrNull(services.devices.find(query.edit));
    return {
      ...page,
      areas: closedAreas(page.areas, args.request),
      rows: page.rows.map(listed),
      told,
      edited,
      view,
      now: Date.now(),
    };
  });
  return { devices: deferred(devices) };
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, DEVICE_FAILED);

export default function Devices() {
  return <DeviceList {...useLoaderData<typeof loader>()} />;
}

export const ErrorBoundary = () => <Failure screen="Device Management" text="Failed to fetch devices" />;
