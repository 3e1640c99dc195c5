import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";
import { FormDialog } from "#app/forms/form-dialog";
import { useOrganization } from "#app/components/organization";
import { useChoices } from "#app/forms/use-choices";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useDialog } from "#app/router/view";
import type { FormAnswer } from "#app/forms/form-answer";
import type { Schedule } from "#domain/records";
import { Field, TextInput } from "#app/ui/field";
import { draftOf, draftSent, timesOf, type Draft } from "./draft";
import { Preview } from "./preview";
import { RecurrenceFields } from "./recurrence-fields";

// The default export is for lazy().
export default function ScheduleDialog({ schedule }: { schedule: Schedule | null }) {
  const { zone } = useOrganization();
  const { close } = useDialog();
  const first = useInitialValue();
  const sent = useActionData<FormAnswer>()?.typed;
  const [area_id, setArea] = useState(first("area_id", schedule?.area_id));
  const [device_id, setDevice] = useState(first("device_id", schedule?.device_id));
  const [draft, setDraft] = useState(() => (sent ? draftSent(sent) : draftOf(schedule, zone)));
  const { areas, devices, guardrails, needsArea } = useChoices(area_id);
  const times = timesOf(draft, zone);

  /** The device must be one of the area's. */
  function changeArea(next: string) {
    setArea(next);
    setDevice("");
  }

  function change(part: Partial<Draft>) {
    // Most windows end on the day they start.
    const end_date = part.start_date && !draft.end_date ? part.start_date : draft.end_date;
    setDraft({ ...draft, end_date, ...part });
  }

  return (
    <FormDialog noun="schedule" record={schedule} description={`All times are in ${zone}`} onClose={close}>
      {(errors) => (
        <>
          <Field label="Title" error={errors.title}>
            <TextInput name="title" defaultValue={schedule?.title} maxLength={200} autoComplete="off" />
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <ChoiceSelect
              label="Area"
              name="area_id"
              value={area_id}
              onChange={changeArea}
              none="Select an area"
              choices={areas}
              error={errors.area_id}
            />
            <ChoiceSelect
              label="Device"
              name="device_id"
              value={device_id}
              onChange={setDevice}
              none={needsArea ? "Select an area first" : "Select a device"}
              choices={devices}
              disabled={needsArea}
              error={errors.device_id}
            />
          </div>
          <Field label="Short description" error={errors.description_short}>
            <TextInput name="description_short" defaultValue={schedule?.description_short ?? ""} autoComplete="off" />
          </Field>
          <WindowFields draft={draft} change={change} errors={errors} />
          <RecurrenceFields draft={draft} change={change} error={errors.rrule} />
          <input type="hidden" name="timezone" value={zone} />
          {guardrails && times.start_at && times.end_at && (
            <Preview schedule={{ ...times, rrule: times.rrule || null, timezone: zone }} guardrails={guardrails} />
          )}
        </>
      )}
    </FormDialog>
  );
}

type WindowProps = { draft: Draft; change: (part: Partial<Draft>) => void; errors: Record<string, string> };

function WindowFields({ draft, change, errors }: WindowProps) {
  return (
    <div className="grid grid-cols-[4fr_3fr] gap-x-4 gap-y-4 sm:grid-cols-4 sm:gap-x-3">
      <Field label="Start date" error={errors.start_at}>
        <TextInput
          type="date"
          name="start_date"
          value={draft.start_date}
          onChange={(event) => change({ start_date: event.target.value })}
        />
      </Field>
      <Field label="Start time">
        <TextInput
          type="time"
          name="start_time"
          value={draft.start_time}
          onChange={(event) => change({ start_time: event.target.value })}
        />
      </Field>
      <Field label="End date" error={errors.end_at}>
        <TextInput
          type="date"
          name="end_date"
          value={draft.end_date}
          onChange={(event) => change({ end_date: event.target.value })}
        />
      </Field>
      <Field label="End time">
        <TextInput
          type="time"
          name="end_time"
          value={draft.end_time}
          onChange={(event) => change({ end_time: event.target.value })}
        />
      </Field>
    </div>
  );
}
