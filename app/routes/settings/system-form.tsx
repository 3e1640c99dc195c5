import { CircleCheck, KeyRound } from "lucide-react";
import { useOrganization } from "#app/components/organization";
import { Section, SettingsForm } from "#app/forms/settings-form";
import type { FieldErrors } from "#domain/errors";
import type { SystemSettings } from "#domain/records";
import { PROVIDER_MODES, ROLES, TIMEZONES, type ProviderMode } from "#domain/enums";
import { Badge } from "#app/ui/badge";
import { Fact } from "#app/ui/card";
import { VERSION } from "#domain/version";
import { Field, Select, TextInput } from "#app/ui/field";

type Props = { stored: SystemSettings; errors: FieldErrors };

export function SystemForm({ stored }: { stored: SystemSettings }) {
  return (
    <SettingsForm save="Save Settings">
      {(errors) => (
        <>
          <CloudIntegration stored={stored} errors={errors} />
          <div className="flex flex-col gap-4">
            <Provider stored={stored} errors={errors} />
            <TimeZone stored={stored} errors={errors} />
          </div>
          <Monitoring stored={stored} errors={errors} />
          <SignIn stored={stored} errors={errors} />
          <SystemInformation />
        </>
      )}
    </SettingsForm>
  );
}

function Provider({ stored, errors }: Props) {
  return (
    <Section title="Provider Mode" text="The way to the lights, for the whole organization">
      <Field label="Mode" error={errors.PROVIDER_MODE} hint="Mock switches no real light.">
        <Select key={stored.PROVIDER_MODE} name="PROVIDER_MODE" defaultValue={stored.PROVIDER_MODE}>
          {PROVIDER_MODES.map((mode) => (
            <option key={mode} value={mode}>
              {MODES[mode]}
            </option>
          ))}
        </Select>
      </Field>
    </Section>
  );
}

const MODES: Record<ProviderMode, string> = {
  mock: "Mock - devices are simulated",
  cloud: "Cloud - cloud API only, needs the UAC key",
  local: "Local - direct to hubs",
  hybrid: "Hybrid - local first, cloud fallback",
};

function CloudIntegration({ stored, errors }: Props) {
  const status = stored.YOLINK_UAC_KEY ? (
    <Badge tone="ok" icon={<CircleCheck />}>
      Ready
    </Badge>
  ) : (
    <Badge tone="dashed" icon={<KeyRound />}>
      Not Configured
    </Badge>
  );
  return (
    <Section title="Cloud Device Integration" text="Access to the device vendor's cloud" aside={status}>
      <Field label="UAC key" error={errors.YOLINK_UAC_KEY} hint={KEY_HINTS[stored.YOLINK_UAC_KEY ? "kept" : "none"]}>
        <TextInput
          name="YOLINK_UAC_KEY"
          defaultValue={stored.YOLINK_UAC_KEY}
          placeholder="uac."
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
        />
      </Field>
      <Field
        label="Cloud base URL"
        error={errors.YOLINK_CLOUD_BASE}
        hint="https://api.yosmart.com, or https://api-eu.yosmart.com for devices sold in Europe"
      >
        <TextInput
          type="url"
          name="YOLINK_CLOUD_BASE"
          defaultValue={stored.YOLINK_CLOUD_BASE}
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
    </Section>
  );
}

const KEY_HINTS = {
  kept: "Stored encrypted and never shown. Leave it to keep the key, type a new one to replace it, empty it to remove it.",
  none: "'uac.' followed by characters, from the vendor's app. It is stored encrypted and never shown again.",
};

function TimeZone({ stored, errors }: Props) {
  return (
    <Section title="Application Timezone" text="Every time on screen, and the guardrails, are in it">
      <Field label="Timezone" error={errors.APP_TIMEZONE} hint="Schedules that exist keep their own.">
        <Select key={stored.APP_TIMEZONE} name="APP_TIMEZONE" defaultValue={stored.APP_TIMEZONE}>
          {TIMEZONES.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </Select>
      </Field>
    </Section>
  );
}

function Monitoring({ stored, errors }: Props) {
  return (
    <Section title="Monitoring Settings" text="How hubs are watched">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Hub check interval (seconds)"
          error={errors.HUB_CHECK_INTERVAL_SEC}
          hint="How often each hub is asked for a sign of life"
        >
          <TextInput
            type="number"
            name="HUB_CHECK_INTERVAL_SEC"
            min={30}
            max={86_400}
            defaultValue={stored.HUB_CHECK_INTERVAL_SEC}
          />
        </Field>
        <Field
          label="Offline alert after (minutes)"
          error={errors.HUB_OFFLINE_ALERT_MIN}
          hint="People are told when a hub was silent for this long"
        >
          <TextInput
            type="number"
            name="HUB_OFFLINE_ALERT_MIN"
            min={1}
            max={1440}
            defaultValue={stored.HUB_OFFLINE_ALERT_MIN}
          />
        </Field>
      </div>
    </Section>
  );
}

/** Shows what is in force, not what is typed. */
function SignIn({ stored, errors }: Props) {
  return (
    <Section title="Sign-in" text="For everybody who works in this organization">
      <Field label="Session time-out (minutes)" error={errors.SESSION_IDLE_MIN} hint="5 to 720, without any activity">
        <TextInput
          type="number"
          name="SESSION_IDLE_MIN"
          min={5}
          max={720}
          defaultValue={stored.SESSION_IDLE_MIN}
          inputMode="numeric"
        />
      </Field>
      <fieldset>
        <legend className="text-ink-soft mb-1.5 text-sm font-medium">Second factor required for</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {ROLES.map((role) => (
            <label key={role} className="flex min-h-9 items-center gap-2">
              <input
                type="checkbox"
                name="SECOND_FACTOR_ROLES"
                value={role}
                defaultChecked={stored.SECOND_FACTOR_ROLES.includes(role)}
                className="accent-brand size-4"
              />
              {role}
            </label>
          ))}
        </div>
      </fieldset>
    </Section>
  );
}

function SystemInformation() {
  const { user, zone, mode } = useOrganization();
  return (
    <Section title="System Information">
      <dl className="flex flex-col gap-1.5">
        <Fact label="Mode">{mode}</Fact>
        <Fact label="Timezone">{zone}</Fact>
        <Fact label="Role">{user.role}</Fact>
        <Fact label="Version">v{VERSION}</Fact>
      </dl>
    </Section>
  );
}
