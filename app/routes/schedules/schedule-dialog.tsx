import { useActionData } from "@remix-run/react";
import { useState } from "react";
import type { TargetChoices } from "#app/forms/choices";
import { FormDialog } from "#app/forms/form-dialog";
import { useFormZone } from "#app/forms/use-form-zone";
import { targetOfValue, targetValue } from "#app/forms/target-value";
import { useChoices } from "#app/forms/use-choices";
import { AreaSelect } from "#app/forms/area-select";
import { useInitialArea, useOnlyArea } from "#app/forms/use-only-area";
import { useInitialValue } from "#app/forms/use-initial-value";
import type { FormAnswer } from "#app/forms/form-answer";
import { MAX_DESCRIPTION, MAX_TITLE } from "#domain/fields/limits";
import type { Schedule } from "#domain/records/records";
import { Field, TextArea, TextInput } from "#app/ui/field";
import { CalendarFields } from "./calendar-fields";
import { DeviceField, TickedLights } from "./device-fields";
import { draftForToday, draftLinked, draftOf, draftSent, timesOf } from "./draft";
import { MomentFields } from "./moment-fields";
import { Preview } from "./preview";
import { RecurrenceFields } from "./recurrence-fields";
import { useDraft } from "./use-draft";

type Props = {
  /** The schedule to edit or to copy; null for a new one. */
  schedule: Schedule | null;
  isCopy?: boolean;
  /** The server's clock (epoch ms): a device's own may be a day off. */
  now: number;
  onClose: () => void;
};

// The default export is for onDemand().
export default function ScheduleDialog({ schedule, isCopy = false, now, onClose }: Props) {
  const zone = useFormZone("timezone");
  const first = useInitialValue();
  const sent = useActionData<FormAnswer>()?.typed;
  const [device_id, setDevice] = useState(first("device_id", schedule ? targetValue(schedule.target) : undefined));
  // A link for all lights of an area names the area by its target.
  const [area_id, setArea] = useState(useInitialArea(schedule?.area_id) || areaOf(device_id));
  const linked = { start: first("start", schedule ? "" : undefined), end: first("end", schedule ? "" : undefined) };
  const { draft, change } = useDraft(
    () => {
      if (sent) return draftSent(sent);
      if (schedule) return draftOf(schedule, zone, isCopy ? now : null);
      return draftLinked(draftForToday(zone, now), linked);
    },
    !schedule && !sent && linked.start === "",
  );
  const { areas, targets, calendars, needsArea } = useChoices(area_id);
  useOnlyArea(areas, area_id, changeArea);
  const { rrule, ...times } = timesOf(draft, zone);

  /** The device must be one of the area's. */
  function changeArea(next: string) {
    setArea(next);
    setDevice("");
  }

  const device = {
    area_id,
    value: device_id,
    onChange: setDevice,
    choices: withCurrent(targets, schedule, area_id),
  };
  return (
    <FormDialog
      noun="schedule"
      record={isCopy ? null : schedule}
      description={`All times are in ${zone}`}
      onClose={onClose}
      half={["area_id", "device_id"]}
      fields={{
        title: (
          <Field label="Title">
            <TextInput defaultValue={schedule?.title} maxLength={MAX_TITLE} autoComplete="off" />
          </Field>
        ),
        area_id: <AreaSelect value={area_id} onChange={changeArea} areas={areas} />,
        device_id: <DeviceField {...device} needsArea={needsArea} />,
        target: <TickedLights {...device} />,
        description_short: (
          <Field label="Short description">
            <TextArea defaultValue={schedule?.description_short ?? ""} maxLength={MAX_DESCRIPTION} autoComplete="off" />
          </Field>
        ),
        start_at: <MomentFields of="start" draft={draft} change={change} />,
        end_at: <MomentFields of="end" draft={draft} change={change} />,
        rrule: <RecurrenceFields draft={draft} change={change} />,
        calendar_id: <CalendarFields schedule={schedule} calendars={calendars} />,
        calendar_rule: null,
        start_sun: null,
        end_sun: null,
        exdates: null,
        timezone: <input type="hidden" name="timezone" value={zone} />,
      }}
      aside={
        <Preview
          schedule={{ ...times, rrule: rrule || null, timezone: zone }}
          target={`${area_id} ${device_id} ${targets ? "" : "loading"}`}
        />
      }
    />
  );
}

function areaOf(value: string): string {
  const { type, id } = targetOfValue(value);
  return type === "area" ? id : "";
}

/** Ticked lights are a group without a name, which no list has: it is an option of its own schedule only. */
function withCurrent(
  choices: TargetChoices | null | undefined,
  schedule: Schedule | null,
  area_id: string,
): TargetChoices | null | undefined {
  if (!choices || schedule?.target.type !== "group" || schedule.area_id !== area_id) return choices;
  const current = { id: targetValue(schedule.target), name: schedule.target.name };
  if (choices.groups.some(({ id }) => id === current.id)) return choices;
  return { ...choices, groups: [...choices.groups, current] };
}
