import { useState } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";
import { FormDialog } from "#app/forms/form-dialog";
import { useOrganization } from "#app/components/organization";
import { useChoices } from "#app/forms/use-choices";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useDialog } from "#app/router/view";
import { MAX_NAME, MAX_NOTES } from "#domain/limits";
import type { Device } from "#domain/records";
import { Field, TextArea, TextInput } from "#app/ui/field";

export function DeviceDialog({ device }: { device: Device | null }) {
  const { departments } = useOrganization();
  const { close } = useDialog();
  const first = useInitialValue();
  const [area_id, setArea] = useState(first("area_id", device?.area_id));
  const [hub_id, setHub] = useState(first("hub_id", device?.hub_id));
  const [dept_id, setDept] = useState(first("dept_id", device?.dept_id));
  const { areas, hubs, needsArea } = useChoices(area_id);

  /** The hub must be one of the area's. */
  function changeArea(next: string) {
    setArea(next);
    setHub("");
  }

  return (
    <FormDialog
      noun="device"
      record={device}
      description="One light, or a group on one switch"
      onClose={close}
      half={["area_id", "hub_id", "dept_id", "model", "cloud_device_id", "local_ref", "on_payload", "off_payload"]}
      fields={{
        name: (
          <Field label="Name">
            <TextInput defaultValue={device?.name} maxLength={MAX_NAME} autoComplete="off" />
          </Field>
        ),
        area_id: (
          <ChoiceSelect label="Area" value={area_id} onChange={changeArea} none="Select an area" choices={areas} />
        ),
        hub_id: (
          <ChoiceSelect
            label="Hub"
            value={hub_id}
            onChange={setHub}
            none="No hub"
            choices={hubs}
            disabled={needsArea}
          />
        ),
        dept_id: (
          <ChoiceSelect label="Department" value={dept_id} onChange={setDept} none="Org-wide" choices={departments} />
        ),
        model: <OptionalText label="Model" value={device?.model} />,
        cloud_device_id: <OptionalText label="Cloud ID" value={device?.cloud_device_id} />,
        local_ref: <OptionalText label="Local reference" value={device?.local_ref} />,
        on_payload: <OptionalText label="ON payload" value={device?.on_payload} />,
        off_payload: <OptionalText label="OFF payload" value={device?.off_payload} />,
        notes: (
          <Field label="Notes">
            <TextArea defaultValue={device?.notes ?? ""} maxLength={MAX_NOTES} />
          </Field>
        ),
      }}
    />
  );
}

function OptionalText({ label, value }: { label: string; value?: string | null | undefined }) {
  return (
    <Field label={label}>
      <TextInput defaultValue={value ?? ""} autoComplete="off" />
    </Field>
  );
}
