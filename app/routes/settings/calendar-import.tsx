import { FormShell } from "#app/forms/form-shell";
import type { Calendar } from "#domain/records/records";
import { Field, FieldScope, TextInput } from "#app/ui/field";

// The default export is for onDemand().
export default function ImportDialog({ calendar, onClose }: { calendar: Calendar; onClose: () => void }) {
  return (
    <FormShell
      title="Import Dates"
      description={`Into ${calendar.name}, from a calendar file`}
      intent="import_calendar"
      record={calendar}
      go="Import"
      going="Importing..."
      encType="multipart/form-data"
      onClose={onClose}
      names={["ics"]}
    >
      {(errors) => (
        <FieldScope name="ics" error={errors.ics}>
          <Field label="Calendar file" hint=".ics, at most 256 KiB. Its dates are added to those of the calendar.">
            <TextInput type="file" accept=".ics,text/calendar" className="h-auto! py-2" />
          </Field>
        </FieldScope>
      )}
    </FormShell>
  );
}
