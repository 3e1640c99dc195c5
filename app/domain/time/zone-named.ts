import { TIMEZONES, type Timezone } from "#domain/enums";

/** The zone that a text names, of those that a city may have; undefined for any other. */
export function zoneNamed(text: string): Timezone | undefined {
  return TIMEZONES.find((zone) => zone === text);
}
