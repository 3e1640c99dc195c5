import type { EmailTest } from "#domain/messages/message-settings";
import { emailOf } from "#durable/reporting/messengers";
import type { EngineContext } from "#durable/state/context";
import { onLane } from "./on-lane";

const TEXT = "This is a test message of Lamplighter. Alarms will reach this address.";

/** Sends one test e-mail by the settings as they are saved; what became of it is a sentence. Never rejects. */
export async function testEmail(context: EngineContext, to: string): Promise<EmailTest> {
  const email = emailOf(context);
  if (!email) return { success: false, detail: "Choose an e-mail service and save its key and a sender first" };
  const letter = { id: `test:${crypto.randomUUID()}`, text: TEXT };
  const sent = await onLane(context, () => email(to, letter));
  if (!sent.ok) return { success: false, detail: sent.detail };
  return { success: true, detail: `The e-mail service took a message to ${to}. Look for it there, also in the spam.` };
}
