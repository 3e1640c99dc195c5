import { useJson } from "#app/router/use-json";
import type { AreaNow } from "./area-now";

/**
 * What the map's counts do not say of an area; undefined until it arrives, null while it cannot be had. It is asked for
 * again with each `load` of the screen (epoch ms), if one is given: the counts beside it are new then.
 */
export function useAreaNow(id: string | null, load: number | null = null): AreaNow | null | undefined {
  const at = load === null ? "" : `?at=${load}`;
  return useJson<AreaNow>(id === null ? null : `/areas/${encodeURIComponent(id)}/now${at}`);
}
