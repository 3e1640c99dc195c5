import type { Device } from "#domain/records";

/** What a card shows of a device. The rest, such as notes of 2,000 characters, comes when its form is opened. */
export type ListedDevice = ReturnType<typeof listed>;

/** The part of a device that a list sends. */
export function listed(device: Device) {
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
