import { useState } from "react";
import { FormDialog } from "#app/forms/form-dialog";
import { MomentField } from "#app/forms/moment-field";
import { useCan } from "#app/components/capability";
import { useFormZone } from "#app/forms/use-form-zone";
import { PlaceFields, usePlace } from "#app/routes/limits/limit-fields";
import { fromLocalInput } from "#domain/time/display";
import { MAX_TITLE } from "#domain/fields/limits";
import { permitWarnings, type RulesOfLights } from "#domain/guardrails/permit-warnings";
import { useOrganization } from "#app/components/organization";
import { useJson } from "#app/router/use-json";
import { Field, TextInput } from "#app/ui/field";
import { Note } from "#app/components/note";
import { toIso } from "#domain/time/to-iso";

/** `now` is the server's clock (epoch ms). */
type Props = { now: number; onClose: () => void };

// The default export is for onDemand().
export default function PermitDialog({ now, onClose }: Props) {
  const zone = useFormZone("from_zone");
  const place = usePlace(null);
  const isAdmin = useCan("guardrails.edit");
  const [to, setTo] = useState<number | null>(null);
  return (
    <FormDialog
      noun="permit"
      record={null}
      description={`All times are in ${zone}. ${isAdmin ? "At most 7 days" : "At most 2 hours, today"}`}
      onClose={onClose}
      fields={{
        target: <PlaceFields place={place} />,
        reason: (
          <Field label="Reason">
            <TextInput maxLength={MAX_TITLE} autoComplete="off" placeholder="City tournament" />
          </Field>
        ),
        from: <MomentField label="From" at={null} hint="Empty: from now on" />,
        to: <MomentField label="Until" at={null} onTyped={(typed) => setTo(fromLocalInput(typed, zone))} />,
      }}
    >
      <Warnings now={now} to={to} target={place.target} />
    </FormDialog>
  );
}

/** Where max on cuts at the permit's end, by the rules of the lights that are chosen. */
function Warnings({ now, to, target }: { now: number; to: number | null; target: string }) {
  const { choices } = useOrganization();
  // Without script nobody types, and the answer says it.
  const path = choices || target === "" ? null : `/permits/limits?${new URLSearchParams({ target })}`;
  const limits = useJson<RulesOfLights[]>(path);
  const warnings = to === null || !limits ? [] : permitWarnings({ to: toIso(to) }, limits, now);
  return (
    <div role="status" className="empty:hidden">
      {warnings.map((warning) => (
        <Note key={warning}>{warning}</Note>
      ))}
    </div>
  );
}
