import { useFieldScope, Field, Select } from "#app/ui/field";
import { hiddenSentence } from "#app/components/hidden-sentence";
import type { TargetChoices } from "#app/forms/choices";

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Undefined while they load, null if loading failed. */
  choices: TargetChoices | null | undefined;
  needsArea: boolean;
  /** The label of the empty option once an area is chosen. */
  none: string;
  hint?: string | undefined;
  /** An option for lights that are ticked one by one. */
  several?: { id: string; name: string };
};

/** All lights of an area, one of its groups, or a light. It submits the current value also while the options load. */
export function TargetSelect({ label, value, onChange, choices, needsArea, none, hint, several }: Props) {
  const { name } = useFieldScope();
  const waiting = !choices;
  const why = choices === null ? "Not available" : "Loading...";
  const hidden = value.startsWith("area:") ? (choices?.hidden ?? 0) : 0;
  const told = [hint, hidden > 0 && hiddenSentence(hidden)].filter(Boolean).join(" ");
  return (
    <Field label={label} hint={told || undefined}>
      {waiting && <input type="hidden" name={name} value={value} />}
      <Select
        name={waiting ? undefined : name}
        value={waiting ? "" : value}
        disabled={needsArea || waiting}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="">{needsArea ? "Select an area first" : waiting ? why : none}</option>
        {choices?.all.filter(({ id }) => !choices.isEmpty || id === value).map(option)}
        {choices && choices.groups.length > 0 && <optgroup label="Groups">{choices.groups.map(option)}</optgroup>}
        {choices && choices.groups.length > 0 ? (
          <optgroup label="Lights">{choices.devices.map(option)}</optgroup>
        ) : (
          choices?.devices.map(option)
        )}
        {several && choices && choices.devices.length > 1 && option(several)}
      </Select>
    </Field>
  );
}

function option({ id, name }: { id: string; name: string }) {
  return (
    <option key={id} value={id}>
      {name}
    </option>
  );
}
