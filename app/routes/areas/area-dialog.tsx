import { FormDialog } from "#app/forms/form-dialog";
import { useFormErrors } from "#app/forms/form-errors";
import { useDialog } from "#app/router/view";
import { MAX_NAME } from "#domain/fields/limits";
import type { Area, Location } from "#domain/records/records";
import { AREA_TYPES } from "#domain/enums";
import { Field, FieldScope, Select, TextInput } from "#app/ui/field";
import { SwitchField } from "#app/ui/switch-field";
import { capitalized } from "#domain/capitalized";

export function AreaDialog({ area }: { area: Area | null }) {
  const { close } = useDialog();
  return (
    <FormDialog
      noun="area"
      record={area}
      description="A place whose lights belong together"
      onClose={close}
      fields={{
        name: (
          <Field label="Name">
            <TextInput defaultValue={area?.name} maxLength={MAX_NAME} autoComplete="off" />
          </Field>
        ),
        type: (
          <Field label="Type">
            <Select defaultValue={area?.type ?? "park"} className="capitalize">
              {AREA_TYPES.map((type) => (
                <option key={type} value={type}>
                  {capitalized(type)}
                </option>
              ))}
            </Select>
          </Field>
        ),
        stagger_sec: (
          <Field
            label="Seconds between two ONs"
            hint="0 to 60. Lights of the area that go on together go on one after the other, within five minutes."
          >
            <TextInput inputMode="numeric" defaultValue={area?.stagger_sec ?? 0} autoComplete="off" />
          </Field>
        ),
        location: <LocationFields location={area?.location} />,
        active: (
          <SwitchField
            label="Active"
            hint="In an inactive area no schedule switches a light"
            defaultChecked={area?.active ?? true}
          />
        ),
      }}
    />
  );
}

function LocationFields({ location }: { location: Location | null | undefined }) {
  const errors = useFormErrors();
  return (
    <div className="grid grid-cols-2 gap-4">
      <LocationScope name="address" error={errors["location.address"] ?? errors.location}>
        <Field label="Address" className="col-span-2">
          <TextInput defaultValue={location?.address} autoComplete="off" />
        </Field>
      </LocationScope>
      <LocationScope name="lat" error={errors["location.lat"]}>
        <Field label="Latitude" hint="Both or none">
          <TextInput inputMode="text" defaultValue={location?.lat} autoComplete="off" />
        </Field>
      </LocationScope>
      <LocationScope name="lon" error={errors["location.lon"]}>
        <Field label="Longitude">
          <TextInput inputMode="text" defaultValue={location?.lon} autoComplete="off" />
        </Field>
      </LocationScope>
    </div>
  );
}

const LocationScope = FieldScope<keyof Location>;
