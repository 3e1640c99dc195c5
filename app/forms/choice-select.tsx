import type { ReactNode } from "react";
import type { Choice } from "#domain/lists/list-query";
import { Field, Select, useFieldScope } from "#app/ui/field";

type Props = {
  label: string;
  /** By default the name of the form's field. */
  name?: string;
  value: string;
  onChange: (value: string) => void;
  /** The label of the empty option. */
  none: string;
  /** Undefined while they load, null if loading failed. */
  choices: Choice[] | null | undefined;
  disabled?: boolean;
  error?: string;
  hint?: ReactNode;
};

/** A select whose options may still be loading or may have failed to load. It submits the current value either way. */
export function ChoiceSelect({ label, name: given, value, onChange, none, choices, disabled, error, hint }: Props) {
  const scope = useFieldScope();
  const name = given ?? scope.name;
  const waiting = choices === null || choices === undefined;
  const why = choices === null ? "Not available" : "Loading...";
  return (
    <Field label={label} error={error} hint={hint}>
      {waiting && <input type="hidden" name={name} value={value} />}
      <Select
        name={waiting ? undefined : name}
        value={waiting ? "" : value}
        disabled={disabled || waiting}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="">{waiting && !disabled ? why : none}</option>
        {choices?.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
