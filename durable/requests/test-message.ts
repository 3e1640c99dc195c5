import type { MessageTest } from "#domain/messages/message-choice";
import { addressesOf } from "#domain/messages/recipients";
import { messengerTo, NO_EMAIL, NO_SMS, isEmail } from "#durable/reporting/messengers";
import type { EngineContext } from "#durable/state/context";
import { settingsOf } from "#durable/state/plan";
import { onLane } from "./on-lane";

const TEXT = "This is a test message of Lamplighter. Alarms will reach you here.";

/** Sends a person one test message by each channel of their choice as it is saved; what became of it is a sentence. Never rejects. */
export async function testMessage(context: EngineContext, user_id: string): Promise<MessageTest> {
  const person = settingsOf(context.sql).RECIPIENTS.find((one) => one.user_id === user_id);
  const channels = person ? [...new Set([...person.urgent_by, ...person.other_by])] : [];
  const addresses = person ? addressesOf(person, channels) : [];
  if (addresses.length === 0) return { success: false, detail: "Choose a channel and save it first" };
  const id = `test:${crypto.randomUUID()}`;
  const fates = await Promise.all(addresses.map((to) => fateOf(context, to, id)));
  return { success: fates.every(({ ok }) => ok), detail: fates.map(({ detail }) => detail).join(" ") };
}

async function fateOf(context: EngineContext, to: string, id: string): Promise<{ ok: boolean; detail: string }> {
  const messenger = messengerTo(context, to);
  if (!messenger) return { ok: false, detail: `Not sent to ${to}: ${isEmail(to) ? NO_EMAIL : NO_SMS}.` };
  const sent = await onLane(context, () => messenger(to, { id, text: TEXT }));
  return sent.ok ? { ok: true, detail: `Sent to ${to}.` } : { ok: false, detail: `Not sent to ${to}: ${sent.detail}.` };
}
