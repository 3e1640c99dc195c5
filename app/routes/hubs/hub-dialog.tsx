import { useState } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";
import { FormDialog } from "#app/forms/form-dialog";
import { useChoices } from "#app/forms/use-choices";
import { AreaSelect } from "#app/forms/area-select";
import { useInitialArea, useOnlyArea } from "#app/forms/use-only-area";
import { MovedNote } from "#app/forms/moved-note";
import { useInitialValue } from "#app/forms/use-initial-value";
import { useDialog } from "#app/router/view";
import { MAX_NAME, MAX_NOTES } from "#domain/fields/limits";
import type { Hub } from "#domain/records/records";
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
  const [area_id, setArea] = useState(useInitialArea(hub?.area_id));
  const [agent_id, setAgent] = useState(useInitialValue()("agent_id", hub?.agent_id ?? ""));
  const { areas, agents } = useChoices(area_id);
  useOnlyArea(areas, area_id, setArea);
  const isMoved = hub !== null && area_id !== "" && area_id !== hub.area_id;
  return (
    <FormDialog
      noun="hub"
      record={hub}
      description="How the devices of an area are reached"
      onClose={close}
      half={["ip_address", "port", "local_client_id", "local_client_secret"]}
      fields={{
        name: (
          <Field label="Name">
            <TextInput defaultValue={hub?.name} maxLength={MAX_NAME} autoComplete="off" />
          </Field>
        ),
        area_id: (
          <>
            <AreaSelect value={area_id} onChange={setArea} areas={areas} />
            <MovedNote asked={isMoved ? { moved_hub: hub.id } : null} />
          </>
        ),
        ip_address: (
          <Field label="IP address">
            <TextInput defaultValue={hub?.ip_address ?? ""} placeholder="192.168.1.20" autoComplete="off" />
          </Field>
        ),
        port: (
          <Field label="Port">
            <TextInput inputMode="numeric" defaultValue={hub?.port ?? 1080} autoComplete="off" />
          </Field>
        ),
        connection_mode: (
          <Field label="Connection mode">
            <Select defaultValue={hub?.connection_mode ?? "hybrid"}>
              {CONNECTION_MODES.map((mode) => (
                <option key={mode} value={mode}>
                  {MODES[mode]}
                </option>
              ))}
            </Select>
          </Field>
        ),
        agent_id: (
          <ChoiceSelect
            label="Agent"
            value={agent_id}
            onChange={setAgent}
            none="None - the server calls the hub itself"
            choices={agents}
            hint="A hub on a private network is reached by a computer beside it."
          />
        ),
        local_client_id: (
          <Field label="Local client id" hint={CREDENTIAL_HINTS[hub?.has_local_credentials ? "kept" : "none"]}>
            <TextInput spellCheck={false} autoComplete="off" />
          </Field>
        ),
        local_client_secret: (
          <div className="flex flex-col gap-4">
            <Field label="Local client secret" hint="Stored encrypted, never shown.">
              <TextInput type="password" spellCheck={false} autoComplete="new-password" />
            </Field>
            {hub?.has_local_credentials && (
              <SwitchField
                name="remove_credentials"
                label="Remove stored credentials"
                hint="The hub can then only be reached through the cloud."
                defaultChecked={false}
              />
            )}
          </div>
        ),
        notes: (
          <Field label="Notes">
            <TextArea defaultValue={hub?.notes ?? ""} maxLength={MAX_NOTES} />
          </Field>
        ),
      }}
    />
  );
}

/** Credentials are write-only, so an edit starts with empty fields. */
const CREDENTIAL_HINTS = {
  none: "From the vendor's app: the hub's Local API.",
  kept: "Leave both empty to keep what is stored. A new address or port removes them: enter them again.",
};
