import { fields, text, version, type Handler, type Outcome } from "#app/forms/form-answer";
import type { MessageTest } from "#domain/messages/message-choice";
import type { SignedIn } from "#worker/context";

/** The actions of one's own messages. */
export function messageHandlers({ messageChoices }: SignedIn["services"], form: FormData): Record<string, Handler> {
  const input = () => ({
    ...fields(form, "phone", "email", "quiet_from", "quiet_to"),
    urgent_by: form.getAll("urgent_by"),
    other_by: form.getAll("other_by"),
    left_out: form.getAll("left_out"),
    digest: text(form, "digest") === "true",
  });
  return {
    save_messages: {
      run: () => messageChoices.save(input(), version(form)),
      done: "Your messages are saved",
      over: "save_messages",
    },
    test_messages: { run: async () => told(await messageChoices.test()) },
  };
}

function told({ success, detail }: MessageTest): Outcome {
  return { ok: success, toast: success ? "Test sent" : "The test was not sent", detail };
}
