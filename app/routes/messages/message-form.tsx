import { KEPT_KEY } from "#app/forms/kept-key";
import { Section, Setting, SettingsForm } from "#app/forms/settings-form";
import { CircleCheck, CircleDashed } from "#app/ui/icons";
import { Badge } from "#app/ui/badge";
import { Field, Select, TextArea, TextInput } from "#app/ui/field";
import { EMAIL_SERVICES, type EmailService } from "#domain/enums";
import type { MessageSettings } from "#domain/messages/message-settings";

type Props = { stored: MessageSettings };

const MessageSetting = Setting<keyof MessageSettings>;

/** The service that carries e-mail, and who gets it. */
export function MessageForm({ stored }: Props) {
  return (
    <SettingsForm save="Save Messages" stored={stored}>
      <Section title="E-mail Service" text="Whose account carries the messages" aside={<Status stored={stored} />}>
        <MessageSetting name="EMAIL_PROVIDER">
          <Field label="Service">
            <Select defaultValue={stored.EMAIL_PROVIDER}>
              {EMAIL_SERVICES.map((service) => (
                <option key={service} value={service}>
                  {SERVICES[service]}
                </option>
              ))}
            </Select>
          </Field>
        </MessageSetting>
        <MessageSetting name="EMAIL_API_KEY">
          <Field label="API key" hint={KEY_HINTS[stored.EMAIL_API_KEY ? "kept" : "none"]}>
            <TextInput
              defaultValue={stored.EMAIL_API_KEY}
              spellCheck={false}
              autoComplete="off"
              onFocus={(event) => event.currentTarget.select()}
            />
          </Field>
        </MessageSetting>
        <MessageSetting name="EMAIL_FROM">
          <Field label="Sender" hint="An address or domain that the service has confirmed as yours">
            <TextInput type="email" defaultValue={stored.EMAIL_FROM} placeholder="lights@city.gov" autoComplete="off" />
          </Field>
        </MessageSetting>
      </Section>
      <div className="flex flex-col gap-4">
        <Section title="E-mail Recipients" text="They get what the SMS recipients of the guardrail settings get">
          <MessageSetting name="NOTIFY_EMAIL_TO">
            <Field
              label="Addresses"
              hint="Separated by commas. A group address of your city is best: its members change."
            >
              <TextArea rows={2} defaultValue={stored.NOTIFY_EMAIL_TO} spellCheck={false} autoComplete="off" />
            </Field>
          </MessageSetting>
        </Section>
        <Section title="Escalation" text="Who is told next while nobody acknowledges an urgent alarm">
          <MessageSetting name="ESCALATE_AFTER_MIN">
            <Field label="After (minutes)" hint="0 passes nothing on.">
              <TextInput type="number" min={0} max={1440} defaultValue={stored.ESCALATE_AFTER_MIN} />
            </Field>
          </MessageSetting>
          <MessageSetting name="ESCALATE_TO">
            <Field
              label="People in their order"
              hint="Phone numbers or e-mail addresses, separated by commas: one after the other, until somebody acknowledges the alarm or it is over."
            >
              <TextArea rows={2} defaultValue={stored.ESCALATE_TO} spellCheck={false} autoComplete="off" />
            </Field>
          </MessageSetting>
        </Section>
      </div>
    </SettingsForm>
  );
}

function Status({ stored }: Props) {
  return stored.EMAIL_PROVIDER === "off" ? (
    <Badge tone="dashed" icon={<CircleDashed />}>
      Off
    </Badge>
  ) : (
    <Badge tone="ok" icon={<CircleCheck />}>
      {SERVICES[stored.EMAIL_PROVIDER]}
    </Badge>
  );
}

const SERVICES: Record<EmailService, string> = {
  off: "Off - no e-mail is sent",
  postmark: "Postmark",
  resend: "Resend",
  sendgrid: "SendGrid",
};

const KEY_HINTS = {
  kept: KEPT_KEY,
  none: "From the service's own settings. It is stored encrypted and never shown again.",
};
