import type { FieldErrors } from "#domain/errors";
import { Field, FieldScope, Select, TextInput, useFieldError } from "#app/ui/field";
import { useFormErrors } from "#app/forms/form-errors";
import { useNoScript } from "#app/ui/no-script";
import type { Draft } from "./draft";
import { STARTS_BY, type Edge, type SunDraft } from "./sun-draft";

type Props = { of: Edge; draft: Draft; change: (part: Partial<Draft>) => void };

const LABELS = { start: "Start", end: "End" };
const BY_LABELS: Record<SunDraft["by"], string> = {
  clock: "Clock",
  sunrise: "Sunrise",
  sunset: "Sunset",
  dawn: "Dawn",
  dusk: "Dusk",
};

/** A date, and a time of day or an event of the sun; their error is shown at the date, or at the time that is missing. */
export function MomentFields({ of, draft, change }: Props) {
  const { error: errors = {}, onChange } = useFieldError(useFormErrors());
  const noScript = useNoScript();
  const [date, time, key, stored] = [`${of}_date`, `${of}_time`, `${of}_sun`, `${of}_stored`] as const;
  const sun = draft[key];
  // That of the instant, or of its time by the sun as a whole.
  const error = errors[`${of}_at`] ?? errors[key];
  const isTimeMissing = sun.by === "clock" && draft[date] !== "" && draft[time] === "";
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3" onChange={onChange}>
      {draft[stored] && <input type="hidden" name={stored} value={draft[stored]} />}
      <FieldScope name={date} error={isTimeMissing ? undefined : error}>
        <Field label={`${LABELS[of]} date`}>
          <TextInput type="date" value={draft[date]} onChange={(event) => change({ [date]: event.target.value })} />
        </Field>
      </FieldScope>
      <FieldScope name={`${of}_by`}>
        <Field label={`${LABELS[of]} by`}>
          <Select value={sun.by} onChange={(event) => change({ [key]: { ...sun, by: byOf(event.target.value) } })}>
            {STARTS_BY.map((by) => (
              <option key={by} value={by}>
                {BY_LABELS[by]}
              </option>
            ))}
          </Select>
        </Field>
      </FieldScope>
      {(sun.by === "clock" || noScript) && (
        <FieldScope name={time} error={isTimeMissing ? error : undefined}>
          <Field label={`${LABELS[of]} time`}>
            <TextInput type="time" value={draft[time]} onChange={(event) => change({ [time]: event.target.value })} />
          </Field>
        </FieldScope>
      )}
      {(sun.by !== "clock" || noScript) && (
        <SunFields of={of} sun={sun} errors={errors} change={(part) => change({ [key]: part })} />
      )}
    </div>
  );
}

type SunProps = { of: Edge; sun: SunDraft; errors: FieldErrors; change: (sun: SunDraft) => void };

/** How far from the event, and between which times of day. */
function SunFields({ of, sun, errors, change }: SunProps) {
  const name = LABELS[of];
  const bound = (part: "not_before" | "not_after", label: string) => (
    <FieldScope name={`${of}_${part}`} error={errors[`${of}_sun.${part}`]}>
      <Field label={label}>
        <TextInput
          type="time"
          aria-label={`${name} ${label.toLowerCase()}`}
          value={sun[part]}
          onChange={(event) => change({ ...sun, [part]: event.target.value })}
        />
      </Field>
    </FieldScope>
  );
  return (
    <div className="col-span-full grid grid-cols-3 gap-3">
      <FieldScope name={`${of}_offset`} error={errors[`${of}_sun.offset_min`]}>
        <Field label="Offset (min)">
          <TextInput
            type="number"
            min={-180}
            max={180}
            step={5}
            aria-label={`${name} offset`}
            value={sun.offset}
            onChange={(event) => change({ ...sun, offset: event.target.value })}
          />
        </Field>
      </FieldScope>
      {bound("not_before", "Not before")}
      {bound("not_after", "Not after")}
    </div>
  );
}

function byOf(value: string): SunDraft["by"] {
  return STARTS_BY.find((by) => by === value) ?? "clock";
}

/** The field names are the draft's keys. */
export const DraftScope = FieldScope<keyof Draft>;
