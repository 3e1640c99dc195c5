import { useState } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";
import { FormShell } from "#app/forms/form-shell";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useOrganization } from "#app/components/organization";
import { useJson, useLatest } from "#app/router/use-json";
import type { WorkorderChoices } from "#app/routes/workorders/choices";
import { keeping } from "#app/routes/workorders/references";
import type { Alarm } from "#domain/alarms/alarm-records";
import { alarmName } from "#domain/alarms/alarm-words";

type Props = { alarm: Alarm; onClose: () => void };

// The default export is for onDemand().
export default function AssignDialog({ alarm, onClose }: Props) {
  const { choices } = useOrganization();
  const first = useInitialValue();
  const [assigned_to, setAssignee] = useState(first("assigned_to", alarm.assigned_to));
  const latest = useLatest(useJson<WorkorderChoices>(choices ? null : "/workorders/choices"));
  const data = choices ?? latest;
  return (
    <FormShell
      title="Assign Alarm"
      description={`${alarmName(alarm)}: ${alarm.message}`}
      intent="assign"
      record={alarm}
      go="Assign"
      onClose={onClose}
      isBrief
    >
      {(errors) => (
        <ChoiceSelect
          label="Assignee"
          name="assigned_to"
          value={assigned_to}
          onChange={setAssignee}
          none="Nobody"
          error={errors["assigned_to"]}
          choices={data && keeping(data.people, alarm.assigned_to, alarm.assigned_email ?? "")}
        />
      )}
    </FormShell>
  );
}
