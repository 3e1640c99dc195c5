import { useTypedValues } from "#app/ui/field";

type Props = {
  name: string;
  legend: string;
  hint?: string | undefined;
  choices: readonly { value: string; label: string }[];
  chosen: readonly string[];
};

/** Checkboxes of one name; without script they are filled again as they were sent. */
export function ChoiceBoxes({ name, legend, hint, choices, chosen }: Props) {
  const typed = useTypedValues();
  const sent = typed ? (typed[name] ?? "").split(",") : null;
  return (
    <fieldset className="min-w-0">
      <legend className="text-ink-soft text-sm font-medium">{legend}</legend>
      {hint && <p className="text-ink-faint text-xs">{hint}</p>}
      <div className="mt-1 flex flex-wrap gap-x-5">
        {choices.map(({ value, label }) => (
          <label key={value} className="flex min-h-11 items-center gap-2 sm:min-h-9">
            <input
              type="checkbox"
              name={name}
              value={value}
              defaultChecked={(sent ?? chosen).includes(value)}
              className="accent-brand size-5 shrink-0"
            />
            <span className="min-w-0">{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
