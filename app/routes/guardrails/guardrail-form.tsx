import { useState } from "react";
import { useOrganization } from "#app/components/organization";
import { Section, SettingsForm } from "#app/forms/settings-form";
import type { FieldErrors } from "#domain/errors";
import type { GuardrailSettings } from "#domain/records";
import { PLACEHOLDER_RECIPIENT } from "#domain/setting-defaults";
import { Field, TextInput } from "#app/ui/field";
import { SwitchField } from "#app/ui/switch-field";
import { seconds } from "./seconds";
import { Tonight } from "./tonight";
import { ladderWords, maxOnWords } from "./describe-rules";

type Props = { stored: GuardrailSettings; errors: FieldErrors };
type Typed = { typed: (name: keyof GuardrailSettings) => string };

export function GuardrailForm({ stored, now }: { stored: GuardrailSettings; now: number }) {
  const { zone } = useOrganization();
  const [form, setForm] = useState<FormData | null>(null);
  const typed = (name: keyof GuardrailSettings) => String(form ? (form.get(name) ?? "") : stored[name]).trim();
  return (
    <SettingsForm save="Save" onTyped={setForm}>
      {(errors) => (
        <>
          <TimeRules stored={stored} errors={errors} typed={typed}>
            <Tonight
              rules={{
                HARD_CURFEW_OFF: typed("HARD_CURFEW_OFF"),
                BLACKOUT_WINDOW: typed("BLACKOUT_WINDOW"),
                MAX_ON_DURATION_MIN: Number(typed("MAX_ON_DURATION_MIN")),
                zone,
              }}
              now={now}
            />
          </TimeRules>
          <Watchdog stored={stored} errors={errors} typed={typed} />
          <FailureNotifications stored={stored} errors={errors} typed={typed} />
        </>
      )}
    </SettingsForm>
  );
}

function TimeRules({ stored, errors, typed, children }: Props & Typed & { children: React.ReactNode }) {
  return (
    <Section title="Time-based rules" text="When lights must be dark, and for how long one may burn">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Hard curfew" error={errors.HARD_CURFEW_OFF} hint="HH:MM, or empty for none">
          <TextInput name="HARD_CURFEW_OFF" defaultValue={stored.HARD_CURFEW_OFF} placeholder="23:45" maxLength={5} />
        </Field>
        <Field label="Blackout window" error={errors.BLACKOUT_WINDOW} hint="HH:MM-HH:MM, or empty for none">
          <TextInput
            name="BLACKOUT_WINDOW"
            defaultValue={stored.BLACKOUT_WINDOW}
            placeholder="00:00-05:00"
            maxLength={11}
          />
        </Field>
        <Field
          label="Max ON duration (minutes)"
          error={errors.MAX_ON_DURATION_MIN}
          hint={maxOnWords(Number(typed("MAX_ON_DURATION_MIN")))}
          className="sm:col-span-2"
        >
          <TextInput
            type="number"
            name="MAX_ON_DURATION_MIN"
            min={1}
            max={1440}
            defaultValue={stored.MAX_ON_DURATION_MIN}
          />
        </Field>
      </div>
      {children}
    </Section>
  );
}

function Watchdog({ stored, errors, typed }: Props & Typed) {
  const backoffs = stored.RETRY_BACKOFFS_SEC.join(", ");
  return (
    <Section title="Watchdog configuration" text="Finds lights that are not as they should be, and tries again">
      <SwitchField
        name="WATCHDOG_ENABLED"
        label="Watchdog"
        hint="Without it a light that did not obey stays as it is"
        defaultChecked={stored.WATCHDOG_ENABLED}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Interval (seconds)" error={errors.WATCHDOG_INTERVAL_SEC} hint="How often it looks at every light">
          <TextInput
            type="number"
            name="WATCHDOG_INTERVAL_SEC"
            min={15}
            max={3600}
            defaultValue={stored.WATCHDOG_INTERVAL_SEC}
          />
        </Field>
        <Field
          label="Verify delay (seconds)"
          error={errors.YOLINK_VERIFY_DELAY_SEC}
          hint="After a switch, before the light is read back"
        >
          <TextInput
            type="number"
            name="YOLINK_VERIFY_DELAY_SEC"
            min={1}
            max={60}
            defaultValue={stored.YOLINK_VERIFY_DELAY_SEC}
          />
        </Field>
        <Field
          label="Retry backoffs (seconds, comma-separated)"
          error={firstOf(errors, "RETRY_BACKOFFS_SEC")}
          hint={ladderWords(seconds(typed("RETRY_BACKOFFS_SEC")))}
          className="sm:col-span-2"
        >
          <TextInput name="RETRY_BACKOFFS_SEC" defaultValue={backoffs} placeholder="10, 30" />
        </Field>
      </div>
    </Section>
  );
}

function FailureNotifications({ stored, errors, typed }: Props & Typed) {
  const onlyPlaceholder = typed("NOTIFY_SMS_TO") === PLACEHOLDER_RECIPIENT;
  return (
    <Section title="Failure notifications" text="Whom to tell, once for each incident" className="lg:col-span-2">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <SwitchField
          name="NOTIFY_ON_FAIL"
          label="Notify on failure"
          hint="A light that fails, a hub that is offline, an account that is throttled"
          defaultChecked={stored.NOTIFY_ON_FAIL}
        />
        <Field
          label="SMS recipients (comma-separated)"
          error={errors.NOTIFY_SMS_TO}
          hint={
            onlyPlaceholder
              ? "This number is a placeholder: nothing is ever sent to it."
              : "E.164, such as +14155550100"
          }
        >
          <TextInput name="NOTIFY_SMS_TO" defaultValue={stored.NOTIFY_SMS_TO} placeholder={PLACEHOLDER_RECIPIENT} />
        </Field>
      </div>
    </Section>
  );
}

/** The error of a list, or of one of its entries. */
function firstOf(errors: FieldErrors, name: string) {
  return Object.entries(errors).find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];
}
