import { useOrganization } from "#app/components/organization";
import type { Choices, EveryChoice, TargetChoices } from "#app/forms/choices";
import { targetValue } from "#app/forms/target-value";
import { useJson, useLatest } from "#app/router/use-json";
import type { Choice } from "#domain/lists/list-query";
import { choiceInArea } from "#domain/records/name-in-area";

/**
 * The options of a dialog's selects. Hubs and devices are those of the area; without an area there are none. Undefined
 * while loading, null if loading failed.
 */
export function useChoices(area_id: string) {
  const { choices: every } = useOrganization();
  const current = useJson<Choices>(every ? null : `/choices?area=${encodeURIComponent(area_id)}`);
  const latest = useLatest(current);
  if (every) {
    const { areas, agents, hubs, devices, calendars } = every;
    const placed = { hubs: hubs.map(choiceInArea), devices: devices.map(choiceInArea), targets: everyTarget(every) };
    return { areas, agents, calendars, ...placed, needsArea: false };
  }
  return {
    areas: latest && latest.areas,
    agents: latest && latest.agents,
    calendars: latest && latest.calendars,
    hubs: area_id ? current && current.hubs : [],
    devices: area_id ? current && current.devices : [],
    targets: area_id ? targetsOf(area_id, current) : NO_TARGETS,
    needsArea: !area_id,
  };
}

const NO_TARGETS: TargetChoices = { all: [], groups: [], devices: [] };

/** 'All lights (8)', the area's groups and its lights. */
function targetsOf(area_id: string, current: Choices | null | undefined): TargetChoices | null | undefined {
  if (!current) return current;
  const { devices, groups, hidden } = current;
  if (devices === null) return null;
  const all = { id: targetValue({ type: "area", id: area_id }), name: `All lights (${devices.length + hidden})` };
  return { all: [all], groups: (groups ?? []).map(asGroup), devices, hidden, isEmpty: devices.length === 0 };
}

function everyTarget({ areas, groups, devices }: EveryChoice): TargetChoices {
  return {
    all: areas.map(({ id, name }) => ({ id: targetValue({ type: "area", id }), name: `All lights (${name})` })),
    groups: groups.map(choiceInArea).map(asGroup),
    devices: devices.map(choiceInArea),
  };
}

function asGroup({ id, name }: Choice): Choice {
  return { id: targetValue({ type: "group", id }), name };
}

/** The lights of one area; undefined while they load, null if loading failed. */
export function useLights(area_id: string): Choice[] | null | undefined {
  const { choices: every } = useOrganization();
  const { devices } = useChoices(area_id);
  return every ? every.devices.filter((device) => device.area_id === area_id) : devices;
}
