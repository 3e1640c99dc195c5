import { Field, FieldScope, TextInput, useFieldScope } from "#app/ui/field";
import type { Draft } from "./draft";

type Props = { of: "start" | "end"; draft: Draft; change: (part: Partial<Draft>) => void };

const LABELS = { start: "Start", end: "End" };

/** A date and a time of day; their error is shown at the date. */
export function MomentFields({ of, draft, change }: Props) {
  const { error } = useFieldScope();
  const [date, time] = [`${of}_date`, `${of}_time`] as const;
  return (
    <div className="grid grid-cols-[4fr_3fr] gap-4 sm:gap-3">
      <DraftScope name={date} error={error}>
        <Field label={`${LABELS[of]} date`}>
          <TextInput type="date" value={draft[date]} onChange={(event) => change({ [date]: event.target.value })} />
        </Field>
      </DraftScope>
      <DraftScope name={time}>
        <Field label={`${LABELS[of]} time`}>
          <TextInput type="time" value={draft[time]} onChange={(event) => change({ [time]: event.target.value })} />
        </Field>
      </DraftScope>
    </div>
  );
}

/** The field names are the draft's keys. */
export const DraftScope = FieldScope<keyof Draft>;
