import { useState } from "react";
import { useOrganization } from "#app/components/organization";
import { AccountForm } from "#app/session/account-form";
import { SecondFactorSetup } from "#app/session/second-factor-setup";
import { counted } from "#domain/counted";
import type { SecondFactor } from "#domain/records/records";
import { Badge } from "#app/ui/badge";
import { Field, TextInput } from "#app/ui/field";

export function OwnSecondFactor({ enabled, required, recovery_codes_left }: SecondFactor) {
  const { user } = useOrganization();
  // During the setup a reload must not replace the recovery codes on screen.
  const [settingUp, setSettingUp] = useState(!enabled);
  if (!enabled && !settingUp) setSettingUp(true);
  if (settingUp && (!enabled || recovery_codes_left === 10)) return <SecondFactorSetup org_id={user.current_org_id} />;
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="ok">On</Badge>
        {counted(recovery_codes_left, "recovery code")} left
      </p>
      {required && (
        <p className="text-ink-soft">
          Your organization requires it for your role. For a new phone or new recovery codes, set it up anew.
        </p>
      )}
      <AccountForm
        intent="remove"
        org_id={user.current_org_id}
        go={required ? "Set up anew" : "Switch off"}
        variant="secondary"
      >
        {(errors) => (
          <>
            <Field label="Current password" error={errors.current_password}>
              <TextInput type="password" name="current_password" autoComplete="current-password" />
            </Field>
            {required && (
              <Field label="Code" error={errors.code} hint="Six digits from your authenticator app, or a recovery code">
                <TextInput name="code" autoComplete="one-time-code" spellCheck={false} maxLength={40} />
              </Field>
            )}
          </>
        )}
      </AccountForm>
    </div>
  );
}
