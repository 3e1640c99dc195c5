import { useJson } from "#app/router/use-json";
import type { AreaNow } from "./area-now";

/** What the map's counts do not say of an area; undefined until it arrives, null while it cannot be had. */
export function useAreaNow(id: string | null): AreaNow | null | undefined {
  return useJson<AreaNow>(id === null ? null : `/areas/${encodeURIComponent(id)}/now`);
}
