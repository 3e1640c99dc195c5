import { isLoopbackBase } from "#domain/messages/message-settings";
import { emailBy, type EmailAccount } from "#durable/providers/email";
import type { Messenger } from "#durable/providers/messenger";
import type { EngineContext } from "#durable/state/context";
import { settingsOf } from "#durable/state/plan";

export const NO_SMS = "SMS is not configured";
export const NO_EMAIL = "e-mail is not configured";

/** Whether an address is one of e-mail; the others are telephone numbers. */
export function isEmail(address: string): boolean {
  return address.includes("@");
}

/** The addresses without those of e-mail while that is switched off. */
export function reachable({ sql }: EngineContext, addresses: string[]): string[] {
  const isOff = settingsOf(sql).EMAIL_PROVIDER === "off";
  return addresses.filter((address) => !(isOff && isEmail(address)));
}

/** Who carries messages to this address, or null where nobody does. */
export function messengerTo(context: EngineContext, address: string): Messenger | null {
  if (isEmail(address)) return emailOf(context);
  const { sms } = context;
  return sms && ((to, { text }) => sms(to, text));
}

/** E-mail as the settings have it; null while it is switched off or lacks its key or sender. */
export function emailOf(context: EngineContext): Messenger | null {
  const { EMAIL_PROVIDER, EMAIL_API_KEY, EMAIL_FROM, EMAIL_API_BASE } = settingsOf(context.sql);
  if (EMAIL_PROVIDER === "off" || EMAIL_API_KEY === "" || EMAIL_FROM === "") return null;
  const base = context.loopback && isLoopbackBase(EMAIL_API_BASE) ? EMAIL_API_BASE : undefined;
  const account = { service: EMAIL_PROVIDER, from: EMAIL_FROM, base };
  return async (to, letter) => {
    const key = await context.unseal(EMAIL_API_KEY).catch(() => null);
    if (key === null) return { ok: false, again: false, detail: "the API key was stored with another SETTINGS_KEY" };
    return emailBy(context.post, { ...account, key } satisfies EmailAccount)(to, letter);
  };
}
