import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import type { loader } from "#app/routes/choices/route";

/** What a dialog chooses from; hubs and devices only of the area. Undefined until it is known, null if that failed. */
export function useChoices(area_id: string) {
  const { data, load } = useFetcher<typeof loader>();
  useEffect(() => load(`/choices?area=${encodeURIComponent(area_id)}`), [area_id, load]);
  const current = data?.area_id === area_id ? data : undefined;
  return { areas: data?.areas, guardrails: data?.guardrails, hubs: current?.hubs, devices: current?.devices };
}
