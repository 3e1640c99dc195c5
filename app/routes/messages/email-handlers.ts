import { fields, type Handler, type Outcome } from "#app/forms/form-answer";
import { asNumber, asText, settingsOf } from "#app/forms/form-fields";
import type { EmailTest, MessageSettings } from "#domain/messages/message-settings";
import type { SignedIn } from "#worker/context";

/** The actions of the e-mail forms; a key goes to no other service than the one that it was typed for. */
export function emailHandlers({ messageSettings }: SignedIn["services"], form: FormData): Record<string, Handler> {
  const settings = () =>
    settingsOf<Exclude<keyof MessageSettings, "EMAIL_API_BASE">>(
      form,
      {
        EMAIL_PROVIDER: asText,
        EMAIL_API_KEY: asText,
        EMAIL_FROM: asText,
        NOTIFY_EMAIL_TO: asText,
        ESCALATE_AFTER_MIN: asNumber,
        ESCALATE_TO: asText,
      },
      [["EMAIL_PROVIDER", "EMAIL_API_KEY"]],
    );
  return {
    save: { run: () => messageSettings.save(settings()), done: "Message settings saved successfully" },
    test: { run: async () => told(await messageSettings.testEmail(fields(form, "to"))) },
  };
}

function told({ success, detail }: EmailTest): Outcome {
  return { ok: success, toast: success ? "Test e-mail sent" : "The test e-mail was not sent", detail };
}
