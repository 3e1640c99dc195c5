import { FormDialog } from "#app/forms/form-dialog";
import { MomentField } from "#app/forms/moment-field";
import { useFormZone } from "#app/forms/use-form-zone";
import { PlaceFields, usePlace } from "#app/routes/limits/limit-fields";
import type { Closure } from "#domain/guardrails/limit-records";
import { MAX_TITLE } from "#domain/fields/limits";
import { Field, TextInput } from "#app/ui/field";

type Props = { closure: Closure | null; onClose: () => void };

// The default export is for onDemand().
export default function ClosureDialog({ closure, onClose }: Props) {
  const zone = useFormZone("from_zone");
  const place = usePlace(closure);
  return (
    <FormDialog
      noun="closure"
      record={closure}
      description={`Its lights go off and stay off. All times are in ${zone}`}
      onClose={onClose}
      fields={{
        target: <PlaceFields place={place} />,
        reason: (
          <Field label="Reason" hint="People read it on every light: 'Closed: wet ground'">
            <TextInput defaultValue={closure?.reason} maxLength={MAX_TITLE} autoComplete="off" />
          </Field>
        ),
        from: <MomentField label="From" at={closure?.from} hint="Empty: from now on" />,
        to: <MomentField label="Until" at={closure?.to} hint="Empty: until somebody reopens it" />,
      }}
    />
  );
}
