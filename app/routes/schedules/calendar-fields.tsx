import { useState } from "react";
import type { CalendarRule } from "#domain/enums";
import type { Choice } from "#domain/lists/list-query";
import type { Schedule } from "#domain/records/records";
import { Field, FieldScope, Select, useFieldScope } from "#app/ui/field";
import { useNoScript } from "#app/ui/no-script";
import { useInitialValue } from "#app/forms/use-initial-value";

type Props = {
  schedule: Schedule | null;
  /** Undefined while they load, null if loading failed. */
  calendars: Choice[] | null | undefined;
};

const RULES: Record<CalendarRule, string> = { skip: "Not on its dates", only: "Only on its dates" };
const RULE_KEYS = ["skip", "only"] as const satisfies CalendarRule[];

/** A calendar whose dates the schedule leaves out, or to which it keeps. */
export function CalendarFields({ schedule, calendars }: Props) {
  const { error } = useFieldScope();
  const noScript = useNoScript();
  const first = useInitialValue();
  const [calendar_id, setCalendar] = useState(first("calendar_id", schedule?.calendar_id));
  if (calendars?.length === 0 && calendar_id === "") return null;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FieldScope name="calendar_id" error={error}>
        <Field label="Calendar">
          {!calendars && <input type="hidden" name="calendar_id" value={calendar_id} />}
          <Select
            name={calendars ? "calendar_id" : undefined}
            value={calendars ? calendar_id : ""}
            disabled={!calendars}
            onChange={(event) => setCalendar(event.currentTarget.value)}
          >
            <option value="">{calendars ? "None" : calendars === null ? "Not available" : "Loading..."}</option>
            {calendars?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </FieldScope>
      {(calendar_id !== "" || noScript) && (
        <FieldScope name="calendar_rule">
          <Field label="It happens">
            <Select defaultValue={first("calendar_rule", schedule?.calendar_rule) || "skip"}>
              {RULE_KEYS.map((rule) => (
                <option key={rule} value={rule}>
                  {RULES[rule]}
                </option>
              ))}
            </Select>
          </Field>
        </FieldScope>
      )}
    </div>
  );
}
