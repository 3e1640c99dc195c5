import { Badge } from "#app/ui/badge";
import { TextInput, useTypedValues } from "#app/ui/field";
import type { HubAccountDevice } from "#domain/hubs/hub-account";
import { MAX_NAME } from "#domain/fields/limits";

/** A light to choose. Its name is the vendor's until somebody writes a better one. */
export function AddableDevice({ device }: { device: HubAccountDevice }) {
  const { cloud_device_id: id, name, model } = device;
  const sent = useTypedValues()?.device?.split(",");
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <label className="flex min-h-11 min-w-11 items-center sm:min-h-0 sm:min-w-0">
        <input
          type="checkbox"
          name="device"
          value={id}
          defaultChecked={sent?.includes(id)}
          className="accent-brand size-5"
        />
        <span className="sr-only">Add {name}</span>
      </label>
      <span className="min-w-0 flex-1 basis-48">
        <TextInput aria-label={`Name of ${name}`} name={`name:${id}`} defaultValue={name} maxLength={MAX_NAME} />
      </span>
      <input type="hidden" name={`model:${id}`} value={model ?? ""} />
      <Facts device={device} />
    </li>
  );
}

/** What the account lists besides, and why it is nothing to add. */
export function OtherDevice({ device }: { device: HubAccountDevice }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 flex-1 basis-48 font-medium break-words">{device.name}</span>
      <span className="text-ink-soft min-w-0 flex-1 basis-48 break-words">{device.refusal}</span>
      <Facts device={device} />
    </li>
  );
}

function Facts({ device: { type, model, cloud_device_id } }: { device: HubAccountDevice }) {
  return (
    <span className="text-ink-soft flex flex-wrap items-center gap-x-3 gap-y-1 text-sm sm:w-96">
      <span className="sm:w-28">
        <Badge>{type === "other" ? "Other" : type}</Badge>
      </span>
      <span className="sm:w-24">{model ?? "N/A"}</span>
      <span className="font-mono text-xs">{cloud_device_id}</span>
    </span>
  );
}
