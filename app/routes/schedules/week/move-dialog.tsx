import { useActionData, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { FormShell } from "#app/forms/form-shell";
import type { FormAnswer } from "#app/forms/form-answer";
import { useFormZone } from "#app/forms/use-form-zone";
import { targetValue } from "#app/forms/target-value";
import { Field, FieldScope, TextInput } from "#app/ui/field";
import { draftOf, draftSent, timesOf } from "#app/routes/schedules/draft";
import { Preview } from "#app/routes/schedules/preview";
import type { DescribedSchedule } from "#app/routes/schedules/schedule-row";
import { movedDraft, moveWords } from "./moved-draft";

type Props = { schedule: DescribedSchedule; onClose: () => void };

/**
 * New hours for a schedule: what dragging its block comes to, and the same without a pointer. It sends the whole
 * schedule, as its edit form does, so that the same rules and the same version apply.
 */
// The default export is for onDemand().
export default function MoveDialog({ schedule, onClose }: Props) {
  const zone = useFormZone("timezone");
  const [search] = useSearchParams();
  const sent = useActionData<FormAnswer>()?.typed;
  const [draft, setDraft] = useState(() => {
    const link = { start: search.get("start") ?? "", end: search.get("end") ?? "" };
    return sent ? draftSent(sent) : movedDraft(draftOf(schedule, zone), link);
  });
  const change = (part: Partial<typeof draft>) => setDraft(movedDraft(draft, { start: "", end: "" }, part));
  const { rrule, ...times } = timesOf(draft, zone);
  const once = schedule.rrule === null;
  return (
    <FormShell
      title="Change hours"
      description={moveWords(schedule, zone)}
      intent="save"
      record={{ id: schedule.id, version: schedule.version }}
      go="Change hours"
      onClose={onClose}
      names={["start_at", "end_at"]}
    >
      {(errors) => (
        <>
          <div className="grid grid-cols-2 gap-4">
            {once && (
              <FieldScope name="start_date">
                <Field label="Date" className="col-span-2">
                  <TextInput
                    type="date"
                    value={draft.start_date}
                    onChange={(event) => change({ start_date: event.target.value })}
                  />
                </Field>
              </FieldScope>
            )}
            {draft.start_sun.by === "clock" && (
              <FieldScope name="start_time" error={errors.start_at}>
                <Field label="Start time">
                  <TextInput
                    type="time"
                    value={draft.start_time}
                    onChange={(event) => change({ start_time: event.target.value })}
                  />
                </Field>
              </FieldScope>
            )}
            {draft.end_sun.by === "clock" && (
              <FieldScope name="end_time" error={errors.end_at}>
                <Field label="End time">
                  <TextInput
                    type="time"
                    value={draft.end_time}
                    onChange={(event) => change({ end_time: event.target.value })}
                  />
                </Field>
              </FieldScope>
            )}
          </div>
          <Rest schedule={schedule} draft={draft} zone={zone} />
          <Preview
            schedule={{ ...times, rrule: rrule || null, timezone: zone }}
            target={targetValue(schedule.target)}
          />
        </>
      )}
    </FormShell>
  );
}

type RestProps = { schedule: DescribedSchedule; draft: ReturnType<typeof draftOf>; zone: string };

/** What stays, under the names of the edit form. */
function Rest({ schedule, draft, zone }: RestProps) {
  const { start_sun, end_sun, days, ...plain } = draft;
  const shown = [
    ...(schedule.rrule === null ? ["start_date"] : []),
    ...(start_sun.by === "clock" ? ["start_time"] : []),
    ...(end_sun.by === "clock" ? ["end_time"] : []),
  ];
  const fields = {
    title: schedule.title,
    area_id: schedule.area_id,
    device_id: targetValue(schedule.target),
    description_short: schedule.description_short ?? "",
    calendar_id: schedule.calendar_id ?? "",
    calendar_rule: schedule.calendar_rule ?? "",
    timezone: zone,
    ...plain,
    ...sunFields("start", start_sun),
    ...sunFields("end", end_sun),
  };
  return (
    <>
      {Object.entries(fields)
        .filter(([name]) => !shown.includes(name))
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      {days.map((day) => (
        <input key={day} type="hidden" name="days" value={day} />
      ))}
    </>
  );
}

function sunFields(of: "start" | "end", { by, offset, not_before, not_after }: RestProps["draft"]["start_sun"]) {
  return {
    [`${of}_by`]: by,
    [`${of}_offset`]: offset,
    [`${of}_not_before`]: not_before,
    [`${of}_not_after`]: not_after,
  };
}
