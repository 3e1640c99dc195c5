import { useId } from "react";
import { useFieldScope, useTypedValues } from "#app/ui/field";

type Props = { name?: string; label: string; hint: string; defaultChecked: boolean };

/** A checkbox styled as a switch. Unchecked, it submits nothing. */
export function SwitchField({ name: given, label, hint, defaultChecked }: Props) {
  const id = useId();
  const scope = useFieldScope();
  const name = given ?? scope.name;
  const typed = useTypedValues();
  return (
    <div className="border-line flex items-center justify-between gap-4 rounded-md border px-3 py-2.5">
      <label htmlFor={id} className="min-w-0">
        <span id={`${id}-name`} className="text-ink-soft block text-sm font-medium">
          {label}
        </span>
        <span id={`${id}-hint`} className="text-ink-faint block text-xs">
          {hint}
        </span>
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        name={name}
        value="true"
        defaultChecked={typed ? name in typed : defaultChecked}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-hint`}
        className="switch-box"
      />
    </div>
  );
}
