import { useState } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";
import { FormDialog } from "#app/forms/form-dialog";
import { useChoices } from "#app/forms/use-choices";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useDialog } from "#app/router/view";
import type { Hub } from "#domain/records";
import { CONNECTION_MODES, type ConnectionMode } from "#domain/enums";
import { Field, Select, TextArea, TextInput } from "#app/ui/field";
import { SwitchField } from "#app/ui/switch-field";

const MODES: Record<ConnectionMode, string> = {
  local: "Local - the hub's own API only",
  cloud: "Cloud - the cloud API only",
  hybrid: "Hybrid - local first, cloud fallback",
};

export function HubDialog({ hub }: { hub: Hub | null }) {
  const { close } = useDialog();
  const [area_id, setArea] = useState(useInitialValue()("area_id", hub?.area_id));
  const { areas } = useChoices(area_id);
  return (
    <FormDialog noun="hub" record={hub} description="How the devices of an area are reached" onClose={close}>
      {(errors) => (
        <>
          <Field label="Name" error={errors.name}>
            <TextInput name="name" defaultValue={hub?.name} maxLength={120} autoComplete="off" />
          </Field>
          <ChoiceSelect
            label="Area"
            name="area_id"
            value={area_id}
            onChange={setArea}
            none="Select an area"
            choices={areas}
            error={errors.area_id}
          />
          <div className="grid grid-cols-[1fr_7rem] gap-4">
            <Field label="IP address" error={errors.ip_address}>
              <TextInput
                name="ip_address"
                defaultValue={hub?.ip_address ?? ""}
                placeholder="192.168.1.20"
                autoComplete="off"
              />
            </Field>
            <Field label="Port" error={errors.port}>
              <TextInput name="port" inputMode="numeric" defaultValue={hub?.port ?? 1080} autoComplete="off" />
            </Field>
          </div>
          <Field label="Connection mode" error={errors.connection_mode}>
            <Select name="connection_mode" defaultValue={hub?.connection_mode ?? "hybrid"}>
              {CONNECTION_MODES.map((mode) => (
                <option key={mode} value={mode}>
                  {MODES[mode]}
                </option>
              ))}
            </Select>
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Local client id"
              error={errors.local_client_id}
              hint={CREDENTIAL_HINTS[hub?.has_local_credentials ? "kept" : "none"]}
            >
              <TextInput name="local_client_id" spellCheck={false} autoComplete="off" />
            </Field>
            <Field label="Local client secret" error={errors.local_client_secret} hint="Stored encrypted, never shown.">
              <TextInput type="password" name="local_client_secret" spellCheck={false} autoComplete="new-password" />
            </Field>
          </div>
          {hub?.has_local_credentials && (
            <SwitchField
              name="remove_credentials"
              label="Remove stored credentials"
              hint="The hub can then only be reached through the cloud."
              defaultChecked={false}
            />
          )}
          <Field label="Notes" error={errors.notes}>
            <TextArea name="notes" defaultValue={hub?.notes ?? ""} maxLength={2000} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}

/** Credentials are write-only, so an edit starts with empty fields. */
const CREDENTIAL_HINTS = {
  none: "From the vendor's app: the hub's Local API.",
  kept: "Leave both empty to keep what is stored. A new address or port removes them: enter them again.",
};
