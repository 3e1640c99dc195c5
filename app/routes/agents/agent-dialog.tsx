import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { FormShell } from "#app/forms/form-shell";
import type { FormAnswer } from "#app/forms/form-answer";
import { MAX_NAME } from "#domain/fields/limits";
import type { Agent } from "#domain/records/records";
import { Field, FieldScope, TextInput } from "#app/ui/field";
import { Secret } from "./secret";

type Props = { agent: Agent | null; onClose: () => void };

/** The name of an agent; a new one's secret is shown in its place, once. The default export is for onDemand(). */
export default function AgentDialog({ agent, onClose }: Props) {
  const page = useActionData<FormAnswer>();
  const [made, setMade] = useState(agent === null && page?.ok ? page : null);
  if (made) return <Secret title="Agent created" name="Its secret" secret={made.shown_once ?? ""} onClose={onClose} />;
  return (
    <FormShell
      title={agent ? "Rename Agent" : "Create Agent"}
      description="Named after where it stands, as people will read it in alarms"
      intent={agent ? "save" : "create"}
      record={agent}
      go={agent ? "Save changes" : "Create Agent"}
      onClose={onClose}
      onDone={agent ? onClose : setMade}
      names={["name"]}
    >
      {(errors) => (
        <FieldScope name="name" error={errors.name}>
          <Field label="Name">
            <TextInput defaultValue={agent?.name} maxLength={MAX_NAME} autoComplete="off" placeholder="Riverside" />
          </Field>
        </FieldScope>
      )}
    </FormShell>
  );
}
