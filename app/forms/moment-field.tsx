import { useRef } from "react";
import { useFormZone } from "#app/forms/use-form-zone";
import { Field, FieldScope, TextInput, useFieldScope } from "#app/ui/field";
import { toLocalInput } from "#domain/time/display";

type Typed = { date: string; time: string };
type Props = {
  label: string;
  at: string | number | null | undefined;
  hint?: string;
  onTyped?: (typed: Typed) => void;
};

/**
 * A date and a time of day of one instant, submitted as `<name>_date` and `<name>_time` with the zone of both and with the
 * instant that they show; see `momentSent`.
 */
export function MomentField({ label, at, hint, onTyped }: Props) {
  const { name, error } = useFieldScope();
  const zone = useFormZone(`${name}_zone`);
  const { date, time } = toLocalInput(at, zone);
  const typed = useRef<Typed>({ date, time });

  function type(part: Partial<Typed>) {
    typed.current = { ...typed.current, ...part };
    onTyped?.(typed.current);
  }

  return (
    <div className="grid grid-cols-[4fr_3fr] gap-3">
      <input type="hidden" name={`${name}_zone`} value={zone} />
      {at && <input type="hidden" name={`${name}_shown`} value={at} />}
      <FieldScope name={`${name}_date`} error={error}>
        <Field label={`${label} date`} hint={hint}>
          <TextInput type="date" defaultValue={date} onChange={(event) => type({ date: event.currentTarget.value })} />
        </Field>
      </FieldScope>
      <FieldScope name={`${name}_time`}>
        <Field label={`${label} time`}>
          <TextInput type="time" defaultValue={time} onChange={(event) => type({ time: event.currentTarget.value })} />
        </Field>
      </FieldScope>
    </div>
  );
}
