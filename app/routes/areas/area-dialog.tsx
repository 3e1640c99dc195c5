import { FormDialog } from "#app/forms/form-dialog";
import { useDialog } from "#app/router/view";
import type { Area } from "#domain/records";
import { AREA_TYPES } from "#domain/enums";
import { Field, Select, TextInput } from "#app/ui/field";
import { SwitchField } from "#app/ui/switch-field";

export function AreaDialog({ area }: { area: Area | null }) {
  const { close } = useDialog();
  return (
    <FormDialog noun="area" record={area} description="A place whose lights belong together" onClose={close}>
      {(errors) => (
        <>
          <Field label="Name" error={errors.name}>
            <TextInput name="name" defaultValue={area?.name} maxLength={120} autoComplete="off" />
          </Field>
          <Field label="Type" error={errors.type}>
            <Select name="type" defaultValue={area?.type ?? "park"} className="capitalize">
              {AREA_TYPES.map((type) => (
                <option key={type} value={type}>
                  {type[0]?.toUpperCase() + type.slice(1)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Address" error={errors["location.address"] ?? errors.location}>
            <TextInput name="address" defaultValue={area?.location?.address} autoComplete="off" />
          </Field>
          <div className="grid grid-cols-2 gap-4">
            <Field label="Latitude" error={errors["location.lat"]} hint="Both or none">
              <TextInput name="lat" inputMode="text" defaultValue={area?.location?.lat} autoComplete="off" />
            </Field>
            <Field label="Longitude" error={errors["location.lon"]}>
              <TextInput name="lon" inputMode="text" defaultValue={area?.location?.lon} autoComplete="off" />
            </Field>
          </div>
          <SwitchField
            name="active"
            label="Active"
            hint="In an inactive area no schedule switches a light"
            defaultChecked={area?.active ?? true}
          />
        </>
      )}
    </FormDialog>
  );
}
