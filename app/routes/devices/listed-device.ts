import type { Device } from "#domain/records/records";

/** What only the device's page and its form show, such as notes of 2,000 characters. A new field is named here or listed. */
type NotListed =
  | "version"
  | "created_at"
  | "updated_at"
  | "area_id"
  | "hub_id"
  | "local_ref"
  | "on_payload"
  | "off_payload"
  | "notes"
  | "restrike_min";

/** What a card shows of a device. */
export type ListedDevice = Omit<Device, NotListed>;

/** The part of a device that a list sends. */
export function listed(device: Device): ListedDevice {
  const { id, name, area_name, hub_name, dept_id, model, cloud_device_id } = device;
  const { current_state, last_state_at, problem, problem_since, hold } = device;
  return {
    id,
    name,
    area_name,
    hub_name,
    dept_id,
    model,
    cloud_device_id,
    current_state,
    last_state_at,
    problem,
    problem_since,
    hold,
  };
}
