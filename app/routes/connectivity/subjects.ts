import type { Choice } from "#domain/lists/list-query";
import type { Area, DeviceChoices, Hub } from "#domain/records/records";

/** What can be chosen to test. */
export type Subjects = DeviceChoices & { hubs: Choice[]; areas: Choice[] };

/** The options of the selects alone: whole records of a thousand hubs are 350 kB. Areas only where one is chosen first. */
export function subjectsOf(choices: DeviceChoices, hubs: Hub[], areas: Area[]): Subjects {
  return {
    ...choices,
    hubs: hubs.map(({ id, name, ip_address }) => ({ id, name: `${name} (${ip_address ?? "Not set"})` })),
    areas: choices.isNarrowed ? areas.map(({ id, name }) => ({ id, name })) : [],
  };
}
