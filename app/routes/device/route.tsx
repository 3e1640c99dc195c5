import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useParams, type ClientActionFunctionArgs } from "@remix-run/react";
import { Suspense } from "react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { deferred } from "#app/router/deferred";
import { useKept } from "#app/router/use-kept";
import { isAnotherList } from "#app/router/view";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { Gone } from "#app/routes/detail/gone";
import { deviceAction } from "#app/routes/devices/device-action";
import { DEVICE_FAILED } from "#app/routes/devices/device-failures";
import { requireUser } from "#app/session/session";
import { aroundOf } from "./around-of";
import { DeviceScreen } from "./device-screen";
import { onDemand } from "#app/ui/on-demand";

/** Loaded after the page, to keep its forms out of the first load. */
const DeviceDialogs = onDemand(() => import("./device-dialogs"));

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.device?.name ?? "Device"} · Lamplighter` },
];
export const shouldRevalidate = isAnotherList;

export const action = deviceAction;

export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args);
  const id = args.params.id ?? "";
  const device = await foundOrNull(services.devices.find(id));
  if (!device) return data({ device: null, around: null }, { status: 404 });
  return data({ device, around: deferred(aroundOf(services, device)) });
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, DEVICE_FAILED);

export default function Device() {
  const loaded = useLoaderData<typeof loader>();
  const { id = null } = useParams();
  const { device, around } = useKept(loaded, { id, isGone: loaded.device === null });
  return (
    <>
      {device ? (
        <DeviceScreen device={device} around={around} />
      ) : (
        <Gone noun="device" list="/devices" all="All devices" />
      )}
      <Suspense>
        <DeviceDialogs device={device} />
      </Suspense>
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Device" text="Failed to fetch devices" />;
