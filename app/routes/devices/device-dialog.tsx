import { useState } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";
import { FormDialog } from "#app/forms/form-dialog";
import { useOrganization } from "#app/components/organization";
import { useChoices } from "#app/forms/use-choices";
import { MovedNote } from "#app/forms/moved-note";
import { AreaSelect } from "#app/forms/area-select";
import { useInitialArea, useOnlyArea } from "#app/forms/use-only-area";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useDialog } from "#app/router/view";
import { MAX_NAME, MAX_NOTES } from "#domain/fields/limits";
import { mayWriteInDept } from "#domain/organization/permissions";
import type { Device } from "#domain/records/records";
import { Field, TextArea, TextInput } from "#app/ui/field";

export function DeviceDialog({ device }: { device: Device | null }) {
  const { user, departments } = useOrganization();
  const { close } = useDialog();
  const first = useInitialValue();
  const [area_id, setArea] = useState(useInitialArea(device?.area_id));
  const [hub_id, setHub] = useState(first("hub_id", device?.hub_id));
  const [dept_id, setDept] = useState(first("dept_id", device?.dept_id));
  const offered = departments && departments.filter(({ id }) => mayWriteInDept(user, id) || id === device?.dept_id);
  const { areas, hubs, needsArea } = useChoices(area_id);
  useOnlyArea(areas, area_id, changeArea);
  const isMoved = device !== null && area_id !== "" && area_id !== device.area_id;

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
          <>
            <AreaSelect value={area_id} onChange={changeArea} areas={areas} />
            <MovedNote asked={isMoved ? { moved_device: device.id } : null} />
          </>
        ),
        hub_id: (
          <ChoiceSelect
            label="Hub"
            value={hub_id}
            onChange={setHub}
            none={needsArea ? "Select an area first" : "No hub"}
            choices={hubs}
            disabled={needsArea}
          />
        ),
        dept_id: (
          <ChoiceSelect label="Department" value={dept_id} onChange={setDept} none="Org-wide" choices={offered} />
        ),
        model: <OptionalText label="Model" value={device?.model} />,
        cloud_device_id: (
          <OptionalText
            label="Cloud ID"
            value={device?.cloud_device_id}
            hint="The device ID in the vendor's app: 16 characters, 0-9 and a-f. For a strip, add #2 for socket 1, #4 for socket 2, #6 for both."
          />
        ),
        local_ref: (
          <OptionalText
            label="Local reference"
            value={device?.local_ref}
            hint="The ID by which the hub itself knows the device. Empty: the Cloud ID."
          />
        ),
        on_payload: (
          <Payload
            label="ON payload"
            value={device?.on_payload}
            hint={'Empty: open, at full brightness. Else JSON, such as {"state":"open","brightness":60} for a dimmer.'}
          />
        ),
        off_payload: (
          <Payload
            label="OFF payload"
            value={device?.off_payload}
            hint={'Empty: close. Else JSON, such as {"state":"close","chs":6}.'}
          />
        ),
        restrike_min: (
          <Field
            label="Minutes to cool"
            hint="0 to 30. A metal halide lamp cannot be lit again for about 15 minutes after it was off."
          >
            <TextInput inputMode="numeric" defaultValue={device?.restrike_min ?? 0} autoComplete="off" />
          </Field>
        ),
        notes: (
          <Field label="Notes">
            <TextArea defaultValue={device?.notes ?? ""} maxLength={MAX_NOTES} />
          </Field>
        ),
      }}
    />
  );
}

function OptionalText({ label, value, hint }: { label: string; value?: string | null | undefined; hint?: string }) {
  return (
    <Field label={label} hint={hint}>
      <TextInput defaultValue={value ?? ""} autoComplete="off" />
    </Field>
  );
}

/** Several lines, as JSON may have them: an input of one line would drop its breaks when another field is saved. */
function Payload({ label, value, hint }: { label: string; value?: string | null | undefined; hint: string }) {
  return (
    <Field label={label} hint={hint}>
      <TextArea defaultValue={value ?? ""} maxLength={MAX_NOTES} spellCheck={false} autoComplete="off" />
    </Field>
  );
}
