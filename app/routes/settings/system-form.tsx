import { CircleCheck, KeyRound } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { KEPT_KEY } from "#app/forms/kept-key";
import { Section, Setting, SettingsForm } from "#app/forms/settings-form";
import { BOUNDS } from "#domain/fields/limits";
import type { SystemSettings } from "#domain/records/records";
import { PROVIDER_MODES, ROLES, TIMEZONES, type ProviderMode } from "#domain/enums";
import { Badge } from "#app/ui/badge";
import { Fact } from "#app/ui/card";
import { VERSION } from "#domain/version";
import { Field, Select, TextInput, useFieldScope, useTypedValues } from "#app/ui/field";

type Props = { stored: SystemSettings };

const SystemSetting = Setting<keyof SystemSettings>;

export function SystemForm({ stored }: { stored: SystemSettings }) {
  return (
    <SettingsForm save="Save Settings" stored={stored}>
      {/* In columns, not rows: these cards differ much in height. */}
      <div className="flex min-w-0 flex-col gap-4 lg:col-span-2 lg:block lg:columns-2 lg:[&>*]:mb-4 lg:[&>*]:break-inside-avoid">
        <CloudIntegration stored={stored} />
        <Provider stored={stored} />
        <TimeZone stored={stored} />
        <CityPosition stored={stored} />
        <Monitoring stored={stored} />
        <SignIn stored={stored} />
        <SystemInformation />
      </div>
    </SettingsForm>
  );
}

function Provider({ stored }: Props) {
  return (
    <Section title="Provider Mode" text="How the whole organization reaches its lights">
      <SystemSetting name="PROVIDER_MODE">
        <Field label="Mode" hint="Mock switches no real light.">
          <Select defaultValue={stored.PROVIDER_MODE}>
            {PROVIDER_MODES.map((mode) => (
              <option key={mode} value={mode}>
                {MODES[mode]}
              </option>
            ))}
          </Select>
        </Field>
      </SystemSetting>
    </Section>
  );
}

const MODES: Record<ProviderMode, string> = {
  mock: "Mock - devices are simulated",
  cloud: "Cloud - cloud API only, needs the UAC key",
  local: "Local - direct to hubs",
  hybrid: "Hybrid - local first, cloud fallback",
};

function CloudIntegration({ stored }: Props) {
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
      <SystemSetting name="YOLINK_UAC_KEY">
        <Field label="UAC key" hint={KEY_HINTS[stored.YOLINK_UAC_KEY ? "kept" : "none"]}>
          <TextInput
            defaultValue={stored.YOLINK_UAC_KEY}
            placeholder="uac."
            spellCheck={false}
            autoComplete="off"
            onFocus={(event) => event.currentTarget.select()}
          />
        </Field>
      </SystemSetting>
      <SystemSetting name="YOLINK_CLOUD_BASE">
        <Field
          label="Cloud base URL"
          hint="https://api.yosmart.com, or https://api-eu.yosmart.com for devices sold in Europe"
        >
          <TextInput type="url" defaultValue={stored.YOLINK_CLOUD_BASE} spellCheck={false} autoComplete="off" />
        </Field>
      </SystemSetting>
    </Section>
  );
}

const KEY_HINTS = {
  kept: KEPT_KEY,
  none: "'uac.' followed by characters, from the vendor's app. It is stored encrypted and never shown again.",
};

function TimeZone({ stored }: Props) {
  return (
    <Section title="Application Timezone" text="All times on screen and the guardrails use it">
      <SystemSetting name="APP_TIMEZONE">
        <Field label="Timezone" hint="Schedules that exist keep their own.">
          <Select defaultValue={stored.APP_TIMEZONE}>
            {TIMEZONES.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </Select>
        </Field>
      </SystemSetting>
    </Section>
  );
}

function CityPosition({ stored }: Props) {
  return (
    <Section title="City Position" text="Where the sun rises and sets for schedules from dusk to dawn">
      <div className="grid gap-4 sm:grid-cols-2">
        <SystemSetting name="CITY_LAT">
          <Field label="Latitude" hint="34.05 is Los Angeles">
            <TextInput defaultValue={stored.CITY_LAT ?? ""} autoComplete="off" />
          </Field>
        </SystemSetting>
        <SystemSetting name="CITY_LON">
          <Field label="Longitude" hint="Negative in America: -118.24">
            <TextInput defaultValue={stored.CITY_LON ?? ""} autoComplete="off" />
          </Field>
        </SystemSetting>
      </div>
    </Section>
  );
}

function Monitoring({ stored }: Props) {
  return (
    <Section title="Monitoring Settings" text="How hubs are watched">
      <div className="grid gap-4 sm:grid-cols-2">
        <SystemSetting name="HUB_CHECK_INTERVAL_SEC">
          <Field label="Hub check interval (seconds)" hint="How often each hub is asked for a sign of life">
            <TextInput type="number" {...BOUNDS.HUB_CHECK_INTERVAL_SEC} defaultValue={stored.HUB_CHECK_INTERVAL_SEC} />
          </Field>
        </SystemSetting>
        <SystemSetting name="HUB_OFFLINE_ALERT_MIN">
          <Field label="Offline alert after (minutes)" hint="People are told when a hub was silent for this long">
            <TextInput type="number" {...BOUNDS.HUB_OFFLINE_ALERT_MIN} defaultValue={stored.HUB_OFFLINE_ALERT_MIN} />
          </Field>
        </SystemSetting>
      </div>
    </Section>
  );
}

function SignIn({ stored }: Props) {
  return (
    <Section title="Sign-in" text="How long a session lasts, and who needs a second factor">
      <SystemSetting name="SESSION_IDLE_MIN">
        <Field label="Session time-out (minutes)" hint="Without activity for this long, a person is signed out">
          <TextInput type="number" {...BOUNDS.SESSION_IDLE_MIN} defaultValue={stored.SESSION_IDLE_MIN} />
        </Field>
      </SystemSetting>
      <SystemSetting name="SECOND_FACTOR_ROLES">
        <RoleBoxes chosen={stored.SECOND_FACTOR_ROLES} />
      </SystemSetting>
    </Section>
  );
}

function RoleBoxes({ chosen }: { chosen: readonly string[] }) {
  const { name, error } = useFieldScope();
  const typed = useTypedValues();
  const checked = typed ? (typed[name] ?? "").split(",") : chosen;
  return (
    <fieldset>
      <legend className="text-ink-soft mb-1.5 text-sm font-medium">Second factor required for</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {ROLES.map((role) => (
          <label key={role} className="flex min-h-11 items-center gap-2 sm:min-h-8">
            <input
              type="checkbox"
              name={name}
              value={role}
              defaultChecked={checked.includes(role)}
              className="accent-brand size-5"
            />
            {role}
          </label>
        ))}
      </div>
      {error && <p className="text-bad-text mt-1.5 text-xs font-medium">{error}</p>}
    </fieldset>
  );
}

/** Shows the saved mode, not the one in the form. */
function SystemInformation() {
  const { user, zone, mode } = useOrganization();
  return (
    <Section title="System Information">
      <dl className="facts">
        <Fact label="Mode">{mode}</Fact>
        <Fact label="Timezone">{zone}</Fact>
        <Fact label="Role">{user.role}</Fact>
        <Fact label="Version">v{VERSION}</Fact>
      </dl>
    </Section>
  );
}
