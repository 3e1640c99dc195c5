import { useState } from "react";
import { useOrganization } from "#app/components/organization";
import { Section, Setting, SettingsForm } from "#app/forms/settings-form";
import { BOUNDS } from "#domain/fields/limits";
import type { GuardrailSettings } from "#domain/records/records";
import { PLACEHOLDER_RECIPIENT } from "#domain/records/setting-defaults";
import { Field, TextInput } from "#app/ui/field";
import { SwitchField } from "#app/ui/switch-field";
import { seconds } from "./seconds";
import { Tonight } from "./tonight";
import { ladderWords, burnedWords } from "./describe-rules";

type Props = { stored: GuardrailSettings };
type Typed = { typed: (name: keyof GuardrailSettings) => string };

export function GuardrailForm({ stored, now }: { stored: GuardrailSettings; now: number }) {
  const { zone } = useOrganization();
  const [form, setForm] = useState<FormData | null>(null);
  const typed = (name: keyof GuardrailSettings) => String(form ? (form.get(name) ?? "") : stored[name]).trim();
  const rules = {
    HARD_CURFEW_OFF: typed("HARD_CURFEW_OFF"),
    BLACKOUT_WINDOW: typed("BLACKOUT_WINDOW"),
    MAX_ON_DURATION_MIN: Number(typed("MAX_ON_DURATION_MIN")),
  };
  const isSaved = rules.HARD_CURFEW_OFF === stored.HARD_CURFEW_OFF && rules.BLACKOUT_WINDOW === stored.BLACKOUT_WINDOW;
  return (
    <SettingsForm save="Save" stored={stored} onTyped={setForm}>
      <TimeRules stored={stored} typed={typed}>
        <Tonight rules={{ ...rules, zone }} now={now} isSaved={isSaved} />
      </TimeRules>
      <Watchdog stored={stored} typed={typed} />
      <FailureNotifications stored={stored} typed={typed} />
    </SettingsForm>
  );
}

function TimeRules({ stored, typed, children }: Props & Typed & { children: React.ReactNode }) {
  return (
    <Section title="Time-based rules" text="When lights must be dark, and for how long one may burn">
      <div className="grid gap-4 sm:grid-cols-2">
        <GuardrailSetting name="HARD_CURFEW_OFF">
          <Field label="Hard curfew" hint="HH:MM, or empty for none">
            <TextInput defaultValue={stored.HARD_CURFEW_OFF} placeholder="23:45" maxLength={5} />
          </Field>
        </GuardrailSetting>
        <GuardrailSetting name="BLACKOUT_WINDOW">
          <Field label="Blackout window" hint="HH:MM-HH:MM, or empty for none">
            <TextInput defaultValue={stored.BLACKOUT_WINDOW} placeholder="00:00-05:00" maxLength={11} />
          </Field>
        </GuardrailSetting>
        <GuardrailSetting name="MAX_ON_DURATION_MIN">
          <Field
            label="Max ON duration (minutes)"
            hint={burnedWords(Number(typed("MAX_ON_DURATION_MIN")))}
            className="sm:col-span-2"
          >
            <TextInput type="number" {...BOUNDS.MAX_ON_DURATION_MIN} defaultValue={stored.MAX_ON_DURATION_MIN} />
          </Field>
        </GuardrailSetting>
      </div>
      {children}
    </Section>
  );
}

function Watchdog({ stored, typed }: Props & Typed) {
  const backoffs = stored.RETRY_BACKOFFS_SEC.join(", ");
  return (
    <Section title="Watchdog configuration" text="Finds lights that are not as they should be, and tries again">
      <GuardrailSetting name="WATCHDOG_ENABLED">
        <SwitchField
          label="Watchdog"
          hint="Without it a light that did not obey stays as it is"
          defaultChecked={stored.WATCHDOG_ENABLED}
        />
      </GuardrailSetting>
      <div className="grid gap-4 sm:grid-cols-2">
        <GuardrailSetting name="WATCHDOG_INTERVAL_SEC">
          <Field label="Interval (seconds)" hint="How often it looks at every light">
            <TextInput type="number" {...BOUNDS.WATCHDOG_INTERVAL_SEC} defaultValue={stored.WATCHDOG_INTERVAL_SEC} />
          </Field>
        </GuardrailSetting>
        <GuardrailSetting name="YOLINK_VERIFY_DELAY_SEC">
          <Field label="Verify delay (seconds)" hint="After a switch, before the light is read back">
            <TextInput
              type="number"
              {...BOUNDS.YOLINK_VERIFY_DELAY_SEC}
              defaultValue={stored.YOLINK_VERIFY_DELAY_SEC}
            />
          </Field>
        </GuardrailSetting>
        <GuardrailSetting name="RETRY_BACKOFFS_SEC">
          <Field
            label="Retry backoffs (seconds, comma-separated)"
            hint={ladderWords(seconds(typed("RETRY_BACKOFFS_SEC")))}
            className="sm:col-span-2"
          >
            <TextInput defaultValue={backoffs} placeholder="10, 30" />
          </Field>
        </GuardrailSetting>
      </div>
    </Section>
  );
}

function FailureNotifications({ stored, typed }: Props & Typed) {
  const onlyPlaceholder = typed("NOTIFY_SMS_TO") === PLACEHOLDER_RECIPIENT;
  return (
    <Section title="Failure notifications" text="Whom to tell, once for each incident" className="lg:col-span-2">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <GuardrailSetting name="NOTIFY_ON_FAIL">
          <SwitchField
            label="Notify on failure"
            hint="A light that fails, a hub that is offline, an account that is throttled"
            defaultChecked={stored.NOTIFY_ON_FAIL}
          />
        </GuardrailSetting>
        <GuardrailSetting name="NOTIFY_SMS_TO">
          <Field
            label="SMS recipients (comma-separated)"
            hint={
              onlyPlaceholder
                ? "This number is a placeholder: nothing is ever sent to it."
                : "E.164, such as +14155550100"
            }
          >
            <TextInput defaultValue={stored.NOTIFY_SMS_TO} placeholder={PLACEHOLDER_RECIPIENT} />
          </Field>
        </GuardrailSetting>
      </div>
    </Section>
  );
}

const GuardrailSetting = Setting<keyof GuardrailSettings>;
