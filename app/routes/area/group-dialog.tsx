import { FormShell } from "#app/forms/form-shell";
import { LightBoxes } from "#app/forms/light-boxes";
import { useLights } from "#app/forms/use-choices";
import { MAX_NAME } from "#domain/fields/limits";
import type { Area, Group } from "#domain/records/records";
import { Field, FieldScope, TextInput } from "#app/ui/field";

type Props = { area: Pick<Area, "id" | "name">; group: Group | null; onClose: () => void };

/** A group of lights of an area. */
export function GroupDialog({ area, group, onClose }: Props) {
  const lights = useLights(area.id);
  return (
    <FormShell
      title={group ? "Edit Group" : "Create Group"}
      description={`Lights of ${area.name} that are scheduled and switched together`}
      intent={group ? "save_group" : "create_group"}
      record={group}
      go={group ? "Save changes" : "Create Group"}
      onClose={onClose}
      names={["name", "device_ids"]}
    >
      {(errors) => (
        <>
          <input type="hidden" name="area_id" value={area.id} />
          <FieldScope name="name" error={errors.name}>
            <Field label="Name">
              <TextInput defaultValue={group?.name} maxLength={MAX_NAME} autoComplete="off" placeholder="Pitch A" />
            </Field>
          </FieldScope>
          <FieldScope name="device_ids" error={errors.device_ids}>
            <LightBoxes lights={lights} chosen={group?.device_ids ?? []} />
          </FieldScope>
        </>
      )}
    </FormShell>
  );
}
