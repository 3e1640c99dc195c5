import { useState } from "react";
import { FormShell } from "#app/forms/form-shell";
import { useOrganization } from "#app/components/organization";
import { MAX_TITLE } from "#domain/fields/limits";
import { Field, FieldScope, Select, TextInput } from "#app/ui/field";
import { toIso } from "#domain/time/to-iso";
import type { DescribedSchedule } from "./schedule-row";
import { nightWords } from "./skip-words";

type Skipped = Pick<DescribedSchedule, "id" | "version" | "title" | "nights" | "is_running">;
/** `onDone`: closes more than the dialog. */
type Props = { schedule: Skipped; onClose: () => void; onDone?: () => void };

/** Leaves out one of the coming nights of a series. A light that it keeps on goes off. */
// The default export is for onDemand().
export default function SkipDialog({ schedule, onClose, onDone = onClose }: Props) {
  const { zone, loaded_at } = useOrganization();
  // The first: once the night that is chosen is over, the list behind the form would choose the next one.
  const [{ nights, is_running }] = useState(schedule);
  return (
    <FormShell
      title="Skip a night"
      description={`${schedule.title}: it does not happen on that night. Everything else stays.`}
      intent="skip"
      record={{ id: schedule.id, version: schedule.version }}
      go="Skip"
      going="Skipping..."
      onClose={onClose}
      isBrief
      onDone={onDone}
      names={["start_at", "reason"]}
    >
      {(errors) => (
        <>
          <FieldScope name="start_at" error={errors.start_at ?? errors.date}>
            <Field label="Night" hint={is_running ? "The first one runs now; its lights go off." : undefined}>
              <Select defaultValue={nights[0] && toIso(nights[0].start)}>
                {nights.map((night) => (
                  <option key={night.start} value={toIso(night.start)}>
                    {nightWords(night, zone, loaded_at)}
                  </option>
                ))}
              </Select>
            </Field>
          </FieldScope>
          <FieldScope name="reason" error={errors.reason}>
            <Field label="Reason" hint="Optional, such as 'rain'">
              <TextInput maxLength={MAX_TITLE} autoComplete="off" />
            </Field>
          </FieldScope>
        </>
      )}
    </FormShell>
  );
}
