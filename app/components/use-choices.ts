import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import type { loader } from "#app/routes/choices/route";

/** What a dialog chooses from; hubs and devices only of the area, and null until they are known. */
export function useChoices(area_id: string) {
  const { data, load } = useFetcher<typeof loader>();
  useEffect(() => load(`/choices?area=${encodeURIComponent(area_id)}`), [area_id, load]);
  const current = data && (data.area_id ?? "") === area_id ? data : null;
  return {
    areas: data?.areas ?? null,
    guardrails: data?.guardrails ?? null,
    hubs: current?.hubs,
    devices: current?.devices,
  };
}
