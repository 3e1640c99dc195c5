import { LightBoxes } from "#app/forms/light-boxes";
import { TargetSelect } from "#app/forms/target-select";
import { SEVERAL } from "#app/forms/target-value";
import { useLights } from "#app/forms/use-choices";
import type { TargetChoices } from "#app/forms/choices";
import { useFormErrors } from "#app/forms/form-errors";
import { FieldScope } from "#app/ui/field";
import { useNoScript } from "#app/ui/no-script";

type Props = {
  area_id: string;
  value: string;
  onChange: (value: string) => void;
  choices: TargetChoices | null | undefined;
};

const OPTION = { id: SEVERAL, name: "Several lights..." };
/** Of an area with more, none is shown to be left out. */
const MOST_SHOWN = 60;

/** What a schedule is for: all lights of the area, a group, a light, or lights ticked one by one (`TickedLights`). */
export function DeviceField({ value, onChange, choices, needsArea }: Props & { needsArea: boolean }) {
  return (
    <TargetSelect
      label="Device"
      value={value}
      onChange={onChange}
      choices={choices}
      needsArea={needsArea}
      none="Select a device"
      hint={FOLLOWED[value.split(":")[0] ?? ""]}
      several={OPTION}
    />
  );
}

/** Lights to tick. Of all lights of an area some can be left out, which is quicker than to tick the others. */
export function TickedLights({ area_id, value, onChange, choices }: Props) {
  const errors = useFormErrors();
  const noScript = useNoScript();
  const ofArea = useLights(area_id);
  // Without script no area may be chosen yet; the lights are named with theirs.
  const lights = area_id === "" ? choices?.devices : ofArea;
  const isAll = value.startsWith("area:") && !noScript && lights !== null && (lights?.length ?? 0) <= MOST_SHOWN;
  if (value !== SEVERAL && !isAll && !noScript) return null;
  return (
    <FieldScope name="device_ids" error={errors["target.device_ids"] ?? errors.target}>
      <LightBoxes lights={lights} chosen={[]} isAll={isAll} onPart={() => onChange(SEVERAL)} />
    </FieldScope>
  );
}

const FOLLOWED: Record<string, string> = {
  area: "A light that the area gets later is lit too.",
  group: "A light that joins the group later is lit too.",
};
