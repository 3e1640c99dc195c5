import { WEEKDAYS, type Weekday } from "#domain/enums";
import { classes } from "#app/ui/classes";
import { Field, Select, TextInput, useFieldError, useFieldScope } from "#app/ui/field";
import { useNoScript } from "#app/ui/no-script";
import { ENDS, REPEATS, type Draft } from "./draft";
import { DraftScope } from "./moment-fields";

type Props = { draft: Draft; change: (part: Partial<Draft>) => void };

const REPEAT_LABELS: Record<Draft["repeat"], string> = { none: "Does not repeat", daily: "Daily", weekly: "Weekly" };
const END_LABELS: Record<Draft["ends"], string> = { count: "After N times", until: "On a date", never: "Never" };
const DAYS: Record<Weekday, { short: string; long: string }> = {
  MO: { short: "Mon", long: "Monday" },
  TU: { short: "Tue", long: "Tuesday" },
  WE: { short: "Wed", long: "Wednesday" },
  TH: { short: "Thu", long: "Thursday" },
  FR: { short: "Fri", long: "Friday" },
  SA: { short: "Sat", long: "Saturday" },
  SU: { short: "Sun", long: "Sunday" },
};

/** Shows only the fields that the earlier choices need; without script, all of them. A ticked day makes it weekly. */
export function RecurrenceFields({ draft, change }: Props) {
  const noScript = useNoScript();
  const { error, onChange } = useFieldError(useFieldScope().error);
  const hasDays = draft.repeat !== "daily";
  const wrong = wrongPart(draft);
  const errorOf = (part: keyof Draft) => (part === wrong ? error : undefined);
  return (
    <div className="grid grid-cols-2 gap-4 sm:grid-cols-3" onChange={onChange}>
      <DraftScope name="repeat" error={errorOf("repeat")}>
        <Field label="Recurrence" className="max-sm:col-span-2">
          <Select value={draft.repeat} onChange={(event) => change({ repeat: keyOf(REPEATS, event.target.value) })}>
            {REPEATS.map((value) => (
              <option key={value} value={value}>
                {REPEAT_LABELS[value]}
              </option>
            ))}
          </Select>
          <HiddenPart name="interval" value={draft.interval} />
        </Field>
      </DraftScope>
      {(draft.repeat !== "none" || noScript) && <EndFields draft={draft} change={change} errorOf={errorOf} />}
      {(hasDays || noScript) && (
        <DraftScope name="days" error={errorOf("days")}>
          <DayBoxes draft={draft} change={change} />
        </DraftScope>
      )}
    </div>
  );
}

/** What a refused rule lacks: its days, or else a number or a last day that it can end by. */
function wrongPart({ repeat, days, ends }: Draft): keyof Draft {
  if (repeat === "weekly" && days.length === 0) return "days";
  return ends === "never" ? "repeat" : ends;
}

/** A part of the draft that has no control of its own. */
function HiddenPart({ name, value }: { name: keyof Draft; value: string | number }) {
  return <input type="hidden" name={name} value={value} />;
}

/** The last day is there before 'On a date' is chosen, and typing one chooses it. */
function EndFields({ draft, change, errorOf }: Props & { errorOf: (part: keyof Draft) => string | undefined }) {
  const noScript = useNoScript();
  return (
    <>
      <DraftScope name="ends">
        <Field label="Ends">
          <Select value={draft.ends} onChange={(event) => change({ ends: keyOf(ENDS, event.target.value) })}>
            {ENDS.map((value) => (
              <option key={value} value={value}>
                {END_LABELS[value]}
              </option>
            ))}
          </Select>
        </Field>
      </DraftScope>
      {(draft.ends !== "never" || noScript) && (
        <DraftScope name="until" error={errorOf("until")}>
          <Field label="Last day">
            <TextInput type="date" value={draft.until} onChange={(event) => change({ until: event.target.value })} />
          </Field>
        </DraftScope>
      )}
      {(draft.ends === "count" || noScript) && (
        <DraftScope name="count" error={errorOf("count")}>
          <Field label="Number of times">
            <TextInput
              type="number"
              min={1}
              max={100}
              value={draft.count}
              onChange={(event) => change({ count: event.target.value })}
            />
          </Field>
        </DraftScope>
      )}
    </>
  );
}

function DayBoxes({ draft, change }: Props) {
  const { name, error } = useFieldScope();
  const noScript = useNoScript();
  const days = draft.repeat === "weekly" || noScript ? draft.days : [];
  const toggle = (day: Weekday) => {
    change({ days: days.includes(day) ? days.filter((other) => other !== day) : [...days, day] });
  };
  return (
    <fieldset className="col-span-full">
      <legend className="text-ink-soft mb-1.5 text-sm font-medium">On these days</legend>
      <div className="grid grid-cols-7 gap-1.5">
        {WEEKDAYS.map((day) => (
          <label key={day} className={DAY}>
            <input
              type="checkbox"
              name={name}
              value={day}
              aria-label={DAYS[day].long}
              aria-invalid={error !== undefined || undefined}
              aria-describedby={error && "days-error"}
              autoFocus={noScript && error !== undefined && day === "MO"}
              checked={days.includes(day)}
              onChange={() => toggle(day)}
              className="sr-only"
            />
            {DAYS[day].short}
          </label>
        ))}
      </div>
      {error && (
        <p id="days-error" role="alert" className="text-bad-text mt-1.5 text-xs font-medium">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** `relative`, so that focusing the visually hidden checkbox scrolls to its label. */
const DAY = classes(
  "relative flex h-11 cursor-pointer items-center justify-center rounded-md border text-sm font-medium sm:h-9",
  "border-line-strong bg-surface text-ink-soft hover:bg-sunken has-aria-invalid:border-bad",
  "has-checked:border-transparent has-checked:bg-brand has-checked:text-brand-ink",
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
);

function keyOf<Key extends string>(keys: readonly Key[], value: string): Key {
  const key = keys.find((known) => known === value);
  if (key === undefined) throw new Error(`No such choice: ${value}`);
  return key;
}
