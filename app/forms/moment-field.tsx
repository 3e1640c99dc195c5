import { useState } from "react";
import { useFormZone } from "#app/forms/use-form-zone";
import { Field, FieldScope, TextInput, useFieldError, useFieldScope, useTypedValues } from "#app/ui/field";
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
 * instant that they show; see `momentSent`. An error is shown at the date, or at the time that is missing.
 */
export function MomentField({ label, at, hint, onTyped }: Props) {
  const { name, error: told } = useFieldScope();
  const { error, onChange } = useFieldError(told);
  const zone = useFormZone(`${name}_zone`);
  const { date, time } = toLocalInput(at, zone);
  const [typed, setTyped] = useState<Typed>({ date, time });
  const sent = useTypedValues();
  const isDated = (sent ? sent[`${name}_date`] : typed.date) !== "";
  const isTimeMissing = isDated && (sent ? sent[`${name}_time`] : typed.time) === "";

  function type(part: Partial<Typed>) {
    const now = { ...typed, ...part };
    setTyped(now);
    onTyped?.(now);
  }

  return (
    <div className="grid grid-cols-[4fr_3fr] gap-3" onChange={onChange}>
      <input type="hidden" name={`${name}_zone`} value={zone} />
      {at && <input type="hidden" name={`${name}_shown`} value={at} />}
      <FieldScope name={`${name}_date`} error={isTimeMissing ? undefined : error}>
        <Field label={`${label} date`} hint={hint}>
          <TextInput type="date" defaultValue={date} onChange={(event) => type({ date: event.currentTarget.value })} />
        </Field>
      </FieldScope>
      <FieldScope name={`${name}_time`} error={isTimeMissing ? error : undefined}>
        <Field label={`${label} time`}>
          <TextInput type="time" defaultValue={time} onChange={(event) => type({ time: event.currentTarget.value })} />
        </Field>
      </FieldScope>
    </div>
  );
}
