import { useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { AreaSelect } from "#app/forms/area-select";
import { TargetSelect } from "#app/forms/target-select";
import { targetValue } from "#app/forms/target-value";
import { useChoices } from "#app/forms/use-choices";
import { useInitialArea, useOnlyArea } from "#app/forms/use-only-area";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useFormErrors } from "#app/forms/form-errors";
import { FieldScope, useFieldError } from "#app/ui/field";
import type { Limit } from "./limit-row";

/** The chosen place: an area and, within it, all lights, a group or a light. By default the link's light, or all lights. */
export function usePlace(limit: Limit | null) {
  const first = useInitialValue();
  const only = useSearchParams()[0].get("area") ?? "";
  const initial = useInitialArea(limit?.area_id);
  const [area_id, setArea] = useState(initial || only);
  const [target, setTarget] = useState(() =>
    limit === null
      ? first("target", undefined) || first("device_id", undefined) || allOf(area_id)
      : first("target", targetValue(limit.target)),
  );
  const choices = useChoices(area_id);
  useOnlyArea(choices.areas, area_id, chooseArea);

  function chooseArea(next: string) {
    setArea(next);
    setTarget(allOf(next));
  }

  return { area_id, target, chooseArea, chooseTarget: setTarget, choices };
}

function allOf(area_id: string): string {
  return area_id === "" ? "" : targetValue({ type: "area", id: area_id });
}

/** The selects of the place, in the scope of the field `target`. */
export function PlaceFields({ place }: { place: ReturnType<typeof usePlace> }) {
  const errors = useFormErrors();
  const { error, onChange } = useFieldError(errors["target.id"] ?? errors.target);
  const { area_id, target, chooseArea, chooseTarget, choices } = place;
  const { needsArea } = choices;
  // Until an area is chosen the lights cannot be, and their select takes no focus.
  return (
    <div className="grid gap-4 sm:grid-cols-2" onChange={onChange}>
      <FieldScope name="area_id" error={needsArea ? error : undefined}>
        <AreaSelect value={area_id} onChange={chooseArea} areas={choices.areas} />
      </FieldScope>
      <FieldScope name="target" error={needsArea ? undefined : error}>
        <TargetSelect
          label="Lights"
          value={target}
          onChange={chooseTarget}
          choices={choices.targets}
          needsArea={needsArea}
          none="Select the lights"
        />
      </FieldScope>
    </div>
  );
}
