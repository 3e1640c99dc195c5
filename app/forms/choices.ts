import type { Choice } from "#domain/lists/list-query";

/** The options of a dialog's selects: every area, and the hubs, groups and devices of one. Null is a list that failed. */
export type Choices = {
  areas: Choice[] | null;
  agents: Choice[] | null;
  hubs: Choice[] | null;
  groups: Choice[] | null;
  devices: Choice[] | null;
  /** How many lights of the area are not among the devices, since their department is not shown; all lights are these, too. */
  hidden: number;
  calendars: Choice[] | null;
};

/**
 * The options of a target, by the values of app/forms/target-value.ts. Of an area that is empty all lights are there only as
 * what is chosen already: by a link, or while it had lights.
 */
export type TargetChoices = {
  all: Choice[];
  groups: Choice[];
  devices: Choice[];
  hidden?: number;
  isEmpty?: boolean;
};

export type PlacedChoice = Choice & { area_id: string; area_name: string };

/** The options of every select, for a page without script. */
export type EveryChoice = {
  areas: Choice[];
  people: Choice[];
  agents: Choice[];
  calendars: Choice[];
  hubs: PlacedChoice[];
  groups: PlacedChoice[];
  devices: PlacedChoice[];
  isNarrowed: boolean;
};
