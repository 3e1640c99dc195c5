import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { FormShell } from "#app/forms/form-shell";
import type { FormAnswer } from "#app/forms/form-answer";
import { Field, FieldScope, TextInput } from "#app/ui/field";
import { SwitchField } from "#app/ui/switch-field";
import { MAX_NAME } from "#domain/fields/limits";
import type { Webhook } from "#domain/messages/webhook-records";
import { Secret } from "./secret";

type Props = { webhook: Webhook | null; onClose: () => void };

/** The form of a webhook; a new one's secret is shown in its place, once. The default export is for onDemand(). */
export default function WebhookDialog({ webhook, onClose }: Props) {
  const page = useActionData<FormAnswer>();
  const [made, setMade] = useState(webhook === null && page?.ok ? page : null);
  if (made) {
    return <Secret title="Webhook created" description="Its secret" secret={made.shown_once ?? ""} onClose={onClose} />;
  }
  return (
    <FormShell
      title={webhook ? "Edit Webhook" : "Create Webhook"}
      description="An address of another system that is told of each alarm"
      intent={webhook ? "save_webhook" : "create"}
      record={webhook}
      go={webhook ? "Save changes" : "Create Webhook"}
      onClose={onClose}
      onDone={webhook ? onClose : setMade}
      names={["name", "url"]}
    >
      {(errors) => (
        <>
          <FieldScope name="name" error={errors.name}>
            <Field label="Name">
              <TextInput defaultValue={webhook?.name} maxLength={MAX_NAME} autoComplete="off" placeholder="Pager" />
            </Field>
          </FieldScope>
          <FieldScope name="url" error={errors.url}>
            <Field label="Address" hint="https:// and reachable from the internet">
              <TextInput
                type="url"
                defaultValue={webhook?.url}
                spellCheck={false}
                autoComplete="off"
                placeholder="https://hooks.city.gov/lights"
              />
            </Field>
          </FieldScope>
          <FieldScope name="active">
            <SwitchField label="Active" hint="Off: it is told of nothing" defaultChecked={webhook?.active ?? true} />
          </FieldScope>
        </>
      )}
    </FormShell>
  );
}
