import { useState } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";
import { FormDialog } from "#app/forms/form-dialog";
import { useOrganization } from "#app/components/organization";
import { useChoices } from "#app/forms/use-choices";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useDialog } from "#app/router/view";
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
    <FormDialog noun="device" record={device} description="One light, or a group on one switch" onClose={close}>
      {(errors) => (
        <>
          <Field label="Name" error={errors.name}>
            <TextInput name="name" defaultValue={device?.name} maxLength={120} autoComplete="off" />
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
              label="Hub"
              name="hub_id"
              value={hub_id}
              onChange={setHub}
              none="No hub"
              choices={hubs}
              disabled={needsArea}
              error={errors.hub_id}
            />
            <ChoiceSelect
              label="Department"
              name="dept_id"
              value={dept_id}
              onChange={setDept}
              none="Org-wide"
              choices={departments}
              error={errors.dept_id}
            />
            <OptionalText label="Model" name="model" value={device?.model} error={errors.model} />
            <OptionalText
              label="Cloud ID"
              name="cloud_device_id"
              value={device?.cloud_device_id}
              error={errors.cloud_device_id}
            />
            <OptionalText label="Local reference" name="local_ref" value={device?.local_ref} error={errors.local_ref} />
            <OptionalText label="ON payload" name="on_payload" value={device?.on_payload} error={errors.on_payload} />
            <OptionalText
              label="OFF payload"
              name="off_payload"
              value={device?.off_payload}
              error={errors.off_payload}
            />
          </div>
          <Field label="Notes" error={errors.notes}>
            <TextArea name="notes" defaultValue={device?.notes ?? ""} maxLength={2000} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}

function OptionalText({
  label,
  name,
  value,
  error,
}: {
  label: string;
  name: string;
  value?: string | null;
  error?: string;
}) {
  return (
    <Field label={label} error={error}>
      <TextInput name={name} defaultValue={value ?? ""} autoComplete="off" />
    </Field>
  );
}
