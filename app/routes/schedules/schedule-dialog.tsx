import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";
import { FormDialog } from "#app/forms/form-dialog";
import { useOrganization } from "#app/components/organization";
import { useChoices } from "#app/forms/use-choices";
import { areaHint } from "#app/forms/area-hint";
import { useInitialArea, useOnlyArea } from "#app/forms/use-only-area";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useDialog } from "#app/router/view";
import type { FormAnswer } from "#app/forms/form-answer";
import { MAX_TITLE } from "#domain/limits";
import type { Schedule } from "#domain/records";
import { Field, TextInput } from "#app/ui/field";
import { draftOf, draftSent, timesOf } from "./draft";
import { MomentFields } from "./moment-fields";
import { Preview } from "./preview";
import { RecurrenceFields } from "./recurrence-fields";
import { useDraft } from "./use-draft";

// The default export is for lazy().
export default function ScheduleDialog({ schedule }: { schedule: Schedule | null }) {
  const { zone } = useOrganization();
  const { close } = useDialog();
  const first = useInitialValue();
  const sent = useActionData<FormAnswer>()?.typed;
  const [area_id, setArea] = useState(useInitialArea(schedule?.area_id));
  const [device_id, setDevice] = useState(first("device_id", schedule?.device_id));
  const { draft, change } = useDraft(() => (sent ? draftSent(sent) : draftOf(schedule, zone)));
  const { areas, devices, needsArea } = useChoices(area_id);
  useOnlyArea(areas, area_id, changeArea);
  const times = timesOf(draft, zone);

  /** The device must be one of the area's. */
  function changeArea(next: string) {
    setArea(next);
    setDevice("");
  }

  return (
    <FormDialog
      noun="schedule"
      record={schedule}
      description={`All times are in ${zone}`}
      onClose={close}
      half={["area_id", "device_id", "start_at", "end_at"]}
      fields={{
        title: (
          <Field label="Title">
            <TextInput defaultValue={schedule?.title} maxLength={MAX_TITLE} autoComplete="off" />
          </Field>
        ),
        area_id: (
          <ChoiceSelect
            label="Area"
            value={area_id}
            onChange={changeArea}
            none="Select an area"
            choices={areas}
            hint={areaHint(areas)}
          />
        ),
        device_id: (
          <ChoiceSelect
            label="Device"
            value={device_id}
            onChange={setDevice}
            none={needsArea ? "Select an area first" : "Select a device"}
            choices={devices}
            disabled={needsArea}
          />
        ),
        target: null,
        description_short: (
          <Field label="Short description">
            <TextInput defaultValue={schedule?.description_short ?? ""} autoComplete="off" />
          </Field>
        ),
        start_at: <MomentFields of="start" draft={draft} change={change} />,
        end_at: <MomentFields of="end" draft={draft} change={change} />,
        rrule: <RecurrenceFields draft={draft} change={change} />,
        timezone: <input type="hidden" name="timezone" value={zone} />,
      }}
      aside={
        <Preview
          schedule={{ ...times, rrule: times.rrule || null, timezone: zone }}
          target={`${area_id} ${device_id}`}
        />
      }
    />
  );
}
