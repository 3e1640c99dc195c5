import { SlidersHorizontal } from "#app/ui/icons";
import { useEffect, useRef, useState } from "react";
import type { Choice } from "#domain/lists/list-query";
import { useChoices } from "#app/forms/use-choices";
import { Button, buttonClasses } from "#app/ui/button";
import { classes } from "#app/ui/classes";
import { Field, Select, TextInput } from "#app/ui/field";
import { useNoScript } from "#app/ui/no-script";
import { useClosing } from "#app/ui/use-closing";

/**
 * A filter or the sort order of a list: a select, whose `all` is the empty option, or a day. Of areas a page has those that
 * a closed filter needs (closed-areas.ts).
 */
export type Filter = { name: string; label: string } & (
  | { all: string; choices: Choice[] }
  | { all: string; areas: Choice[] }
  | { day: true }
);

type Props = { filters: Filter[]; asked: URLSearchParams; count: number };

/** The filters, behind a button that shows how many are in use. A <details> element, so it needs no script. */
export function FilterPanel({ filters, asked, count }: Props) {
  const details = useClosing();
  const [wasOpened, setOpened] = useState(useNoScript());
  useEffect(() => {
    if (details.current?.open) setOpened(true); // before this script ran
  }, [details]);
  return (
    <details ref={details} className="group" onToggle={() => setOpened(true)}>
      <summary className={classes(buttonClasses(), "list-none [&::-webkit-details-marker]:hidden")}>
        <SlidersHorizontal className="size-4" />
        <span className="max-sm:sr-only">Filter</span>
        {count > 0 && (
          <span className="bg-brand text-brand-ink min-w-5 rounded-full px-1.5 text-center text-xs leading-5">
            {count}
            <span className="sr-only"> in use</span>
          </span>
        )}
      </summary>
      <div className="below bg-surface border-line animate-appear absolute inset-x-0 top-full z-20 mt-2 grid grid-cols-2 gap-3 rounded-xl border p-4 shadow-xl sm:left-auto sm:w-80">
        {filters.map((filter) => (
          <Field key={filter.name} label={filter.label} className={"day" in filter ? "" : "col-span-2"}>
            <Control filter={filter} value={asked.get(filter.name) ?? ""} wasOpened={wasOpened} />
          </Field>
        ))}
        <noscript>
          <Button type="submit" variant="primary" className="col-span-2 w-full">
            Apply
          </Button>
        </noscript>
      </div>
    </details>
  );
}

/** Uncontrolled, because a date is typed in three parts and must not be reset, or lose the cursor, in between. */
function DayInput({ name, value }: { name: string; value: string }) {
  const input = useRef<HTMLInputElement>(null);
  const typed = useRef(value);
  // A link or the back button has changed the day.
  useEffect(() => {
    if (!input.current || value === typed.current) return;
    typed.current = value;
    input.current.value = value;
  }, [value]);
  return (
    <TextInput
      ref={input}
      type="date"
      name={name}
      defaultValue={value}
      onChange={(event) => (typed.current = event.currentTarget.value)}
    />
  );
}

/** A closed panel holds the chosen option only: a thousand areas would be most of the page. */
function Control({ filter, value, wasOpened }: { filter: Filter; value: string; wasOpened: boolean }) {
  const noScript = useNoScript();
  if ("day" in filter) return <DayInput name={filter.name} value={value} />;
  const choices = "areas" in filter ? filter.areas : filter.choices;
  const chosen = choices.filter(({ id }) => id === value);
  return (
    <Select name={filter.name} value={value} onChange={() => undefined}>
      <option value="">{filter.all}</option>
      {!wasOpened && <Options choices={chosen} />}
      {wasOpened && ("areas" in filter && !noScript ? <EveryArea chosen={chosen} /> : <Options choices={choices} />)}
    </Select>
  );
}

/** The chosen one stays chosen while the others are loaded, or cannot be. */
function EveryArea({ chosen }: { chosen: Choice[] }) {
  const { areas } = useChoices("");
  if (areas) return <Options choices={areas} />;
  return (
    <>
      <Options choices={chosen} />
      <option disabled>{areas === null ? "Areas could not be loaded" : "Loading areas..."}</option>
    </>
  );
}

function Options({ choices }: { choices: Choice[] }) {
  return choices.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}
