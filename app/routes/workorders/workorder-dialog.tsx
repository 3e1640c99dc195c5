import { useState } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";
import { FormDialog } from "#app/forms/form-dialog";
import { useOrganization } from "#app/components/organization";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useJson, useLatest } from "#app/router/use-json";
import { useDialog } from "#app/router/view";
import { mayWriteInDept } from "#domain/organization/permissions";
import { MAX_DESCRIPTION, MAX_TITLE } from "#domain/fields/limits";
import type { Workorder } from "#domain/records/records";
import { WORKORDER_PRIORITIES, WORKORDER_STATUSES } from "#domain/enums";
import { Field, Select, TextArea, TextInput } from "#app/ui/field";
import type { WorkorderChoices } from "./choices";
import { devicesIn, keeping } from "./references";
import { capitalized } from "#domain/capitalized";

export function WorkorderDialog({ workorder }: { workorder: Workorder | null }) {
  const { user, departments, choices } = useOrganization();
  const { close } = useDialog();
  const first = useInitialValue();
  const [area_id, setArea] = useState(first("area_id", workorder?.area_id));
  const [device_id, setDevice] = useState(first("device_id", workorder?.device_id));
  const [dept_id, setDept] = useState(first("dept_id", workorder?.dept_id));
  const [assigned_to, setAssignee] = useState(first("assigned_to", workorder?.assigned_to));
  const writable = departments && departments.filter(({ id }) => mayWriteInDept(user, id));
  const own = departments?.find(({ id }) => id === workorder?.dept_id);
  const chosen = new URLSearchParams({ area: area_id, device: workorder?.device_id ?? "" }).toString();
  const latest = useLatest(useJson<WorkorderChoices>(choices ? null : `/workorders/choices?${chosen}`));
  const data = choices ?? latest;

  /** If an area is chosen, the device must be one of its devices. */
  function changeArea(next: string) {
    setArea(next);
    if (data && next && !devicesIn(data.devices, next).some(({ id }) => id === device_id)) setDevice("");
  }

  return (
    <FormDialog
      noun="workorder"
      record={workorder}
      description="What is to be done, where and by whom"
      onClose={close}
      half={["status", "priority", "dept_id", "assigned_to", "area_id", "device_id"]}
      fields={{
        title: (
          <Field label="Title">
            <TextInput defaultValue={first("title", workorder?.title)} maxLength={MAX_TITLE} autoComplete="off" />
          </Field>
        ),
        description: (
          <Field label="Description">
            <TextArea
              rows={3}
              defaultValue={first("description", workorder ? (workorder.description ?? "") : undefined)}
              maxLength={MAX_DESCRIPTION}
            />
          </Field>
        ),
        status: <WordSelect label="Status" words={WORKORDER_STATUSES} value={workorder?.status ?? "open"} />,
        priority: <WordSelect label="Priority" words={WORKORDER_PRIORITIES} value={workorder?.priority ?? "medium"} />,
        dept_id: (
          <ChoiceSelect
            label="Department"
            value={dept_id}
            onChange={setDept}
            none="Org-wide"
            choices={writable && keeping(writable, workorder?.dept_id, own?.name ?? "Unknown Dept")}
          />
        ),
        assigned_to: (
          <ChoiceSelect
            label="Assignee"
            value={assigned_to}
            onChange={setAssignee}
            none="None"
            choices={data && keeping(data.people, workorder?.assigned_to, assigned_to)}
          />
        ),
        area_id: (
          <ChoiceSelect
            label="Area"
            value={area_id}
            onChange={changeArea}
            none="None"
            choices={data && keeping(data.areas, workorder?.area_id, "Unknown area")}
          />
        ),
        device_id: (
          <ChoiceSelect
            label="Device"
            value={device_id}
            onChange={setDevice}
            none="None"
            choices={data && keeping(devicesIn(data.devices, area_id), device_id, "Unknown device")}
            hint={data?.isNarrowed && !area_id ? "Choose an area for its devices" : undefined}
          />
        ),
      }}
    />
  );
}

type WordProps = { label: string; words: readonly string[]; value: string };

function WordSelect({ label, words, value }: WordProps) {
  return (
    <Field label={label}>
      <Select defaultValue={value}>
        {words.map((word) => (
          <option key={word} value={word}>
            {capitalized(word.replaceAll("_", " "))}
          </option>
        ))}
      </Select>
    </Field>
  );
}
