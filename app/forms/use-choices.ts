import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { useOrganization } from "#app/components/organization";
import type { Choices } from "#app/forms/choices";

/**
 * The options of a dialog's selects. Hubs and devices are those of the area; without an area there are none. Undefined
 * while loading, null if loading failed.
 */
export function useChoices(area_id: string) {
  const { choices: every } = useOrganization();
  const { data, load } = useFetcher<Choices>();
  useEffect(() => load(`/choices?area=${encodeURIComponent(area_id)}`), [area_id, load]);
  if (every) {
    const { areas, hubs, devices } = every;
    return { areas, hubs: hubs.map(withArea), devices: devices.map(withArea), guardrails: null, needsArea: false };
  }
  const current = data?.area_id === area_id ? data : undefined;
  return {
    areas: data?.areas,
    guardrails: data?.guardrails,
    hubs: area_id ? current?.hubs : [],
    devices: area_id ? current?.devices : [],
    needsArea: !area_id,
  };
}

function withArea({ id, name, area_name }: { id: string; name: string; area_name: string }) {
  return { id, name: `${name} (${area_name})` };
}
