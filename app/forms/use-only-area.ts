import { useEffect, useRef } from "react";
import type { Choice } from "#domain/list-query";

/** Chooses the area for a new record where there is only one. Whoever clears it is not overruled. */
export function useOnlyArea(areas: Choice[] | null | undefined, area_id: string, choose: (id: string) => void) {
  const only = areas?.length === 1 ? areas[0]?.id : undefined;
  const now = useRef({ area_id, choose });
  now.current = { area_id, choose };
  useEffect(() => {
    if (only && now.current.area_id === "") now.current.choose(only);
  }, [only]);
}
