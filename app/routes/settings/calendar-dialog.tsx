import { FormShell } from "#app/forms/form-shell";
import { MAX_NAME } from "#domain/fields/limits";
import type { Calendar } from "#domain/records/records";
import { Field, FieldScope, TextArea, TextInput } from "#app/ui/field";
import { linesOf } from "./calendar-lines";

type Props = { calendar: Calendar | null; onClose: () => void };

// The default export is for onDemand().
export default function CalendarDialog({ calendar, onClose }: Props) {
  return (
    <FormShell
      title={calendar ? "Edit Calendar" : "Create Calendar"}
      description="Holidays, school days, race days"
      intent={calendar ? "save_calendar" : "create_calendar"}
      record={calendar}
      go={calendar ? "Save changes" : "Create Calendar"}
      onClose={onClose}
      names={["name", "dates"]}
    >
      {(errors) => (
        <>
          <FieldScope name="name" error={errors.name}>
            <Field label="Name">
              <TextInput defaultValue={calendar?.name} maxLength={MAX_NAME} autoComplete="off" placeholder="Holidays" />
            </Field>
          </FieldScope>
          <FieldScope name="dates" error={errors.dates}>
            <Field label="Dates" hint="One a line: the date, then its name. 2026-11-26 Thanksgiving">
              <TextArea rows={10} defaultValue={linesOf(calendar?.dates ?? [])} spellCheck={false} />
            </Field>
          </FieldScope>
        </>
      )}
    </FormShell>
  );
}
