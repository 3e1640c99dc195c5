import { useEffect, useRef } from "react";
import { useOrganization } from "#app/components/organization";
import { useInitialValue } from "#app/forms/use-initial-value";
import type { Choice } from "#domain/lists/list-query";

/** Selects the area of a new record if there is only one. If the user clears it, it stays empty. */
export function useOnlyArea(areas: Choice[] | null | undefined, area_id: string, choose: (id: string) => void) {
  const only = onlyOf(areas);
  const current = useRef({ area_id, choose });
  current.current = { area_id, choose };
  useEffect(() => {
    if (only && current.current.area_id === "") current.current.choose(only);
  }, [only]);
}

/** The initial area of a form. Without script nothing selects the only one later. */
export function useInitialArea(stored: string | undefined): string {
  const first = useInitialValue()("area_id", stored);
  const { choices } = useOrganization();
  return first === "" && stored === undefined ? (onlyOf(choices?.areas) ?? "") : first;
}

function onlyOf(areas: Choice[] | null | undefined): string | undefined {
  return areas?.length === 1 ? areas[0]?.id : undefined;
}
