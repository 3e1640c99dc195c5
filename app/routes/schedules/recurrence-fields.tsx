import { WEEKDAYS, type Weekday } from "#domain/words";
import { classes } from "#app/ui/classes";
import { Field, Select, TextInput, useFieldError } from "#app/ui/field";
import type { Draft } from "./draft";

type Props = { draft: Draft; change: (part: Partial<Draft>) => void; error?: string };

const REPEATS = { none: "Does not repeat", daily: "Daily", weekly: "Weekly" } satisfies Record<Draft["repeat"], string>;
const ENDS = { count: "After N times", until: "On a date", never: "Never" } satisfies Record<Draft["ends"], string>;
const DAYS: Record<Weekday, { short: string; long: string }> = {
  MO: { short: "Mon", long: "Monday" },
  TU: { short: "Tue", long: "Tuesday" },
  WE: { short: "Wed", long: "Wednesday" },
  TH: { short: "Thu", long: "Thursday" },
  FR: { short: "Fri", long: "Friday" },
  SA: { short: "Sat", long: "Saturday" },
  SU: { short: "Sun", long: "Sunday" },
};

export function RecurrenceFields({ draft, change, error }: Props) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <Field label="Recurrence" error={draft.repeat === "weekly" ? undefined : error}>
          <Select value={draft.repeat} onChange={(event) => change({ repeat: keyOf(REPEATS, event.target.value) })}>
            {Object.entries(REPEATS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {draft.repeat !== "none" && <EndFields draft={draft} change={change} />}
      </div>
      {draft.repeat === "weekly" && <DayButtons draft={draft} change={change} error={error} />}
    </>
  );
}

function EndFields({ draft, change }: Props) {
  return (
    <>
      <Field label="Ends">
        <Select value={draft.ends} onChange={(event) => change({ ends: keyOf(ENDS, event.target.value) })}>
          {Object.entries(ENDS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {draft.ends === "count" && (
        <Field label="Number of times">
          <TextInput
            type="number"
            min={1}
            max={100}
            value={draft.count}
            onChange={(event) => change({ count: event.target.value })}
          />
        </Field>
      )}
      {draft.ends === "until" && (
        <Field label="Last day">
          <TextInput type="date" value={draft.until} onChange={(event) => change({ until: event.target.value })} />
        </Field>
      )}
    </>
  );
}

function DayButtons({ draft, change, error: told }: Props) {
  const { error, onChange } = useFieldError(told);
  const toggle = (day: Weekday) => {
    change({ days: draft.days.includes(day) ? draft.days.filter((other) => other !== day) : [...draft.days, day] });
    onChange();
  };
  return (
    <fieldset>
      <legend className="text-ink-soft mb-1.5 text-sm font-medium">On these days</legend>
      <div className="grid grid-cols-7 gap-1.5">
        {WEEKDAYS.map((day) => (
          <button
            key={day}
            type="button"
            aria-label={DAYS[day].long}
            aria-pressed={draft.days.includes(day)}
            onClick={() => toggle(day)}
            className={classes(
              "h-11 rounded-md border text-sm font-medium sm:h-9",
              draft.days.includes(day)
                ? "border-transparent bg-brand text-brand-ink"
                : "border-line-strong bg-surface text-ink-soft hover:bg-sunken",
            )}
          >
            {DAYS[day].short}
          </button>
        ))}
      </div>
      {error && <p className="text-bad-text mt-1.5 text-xs font-medium">{error}</p>}
    </fieldset>
  );
}

function keyOf<Key extends string>(choices: Record<Key, string>, value: string): Key {
  for (const key in choices) if (key === value) return key;
  throw new Error(`No such choice: ${value}`);
}
