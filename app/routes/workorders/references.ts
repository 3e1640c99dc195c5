import type { Choice } from "#domain/lists/list-query";
import { choiceInArea } from "#domain/records/name-in-area";

type Device = Choice & { area_id: string; area_name: string };

/** The devices of one area, or all with their area's name, since device names need not be unique. */
export function devicesIn(devices: Device[], area_id: string): Choice[] {
  if (area_id) return devices.filter((device) => device.area_id === area_id);
  return devices.map(choiceInArea);
}

/**
 * The choices plus the record's current one, which may be hidden from the person or missing because its list failed, so
 * that saving the form does not lose it.
 */
export function keeping(choices: Choice[], current: string | null | undefined, name: string): Choice[] {
  if (!current || choices.some(({ id }) => id === current)) return choices;
  return [...choices, { id: current, name }];
}
