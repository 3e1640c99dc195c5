/** `again`: whether it may go better the next time. */
export type Sent = { ok: true } | { ok: false; again: boolean; detail: string };

/** What people are told. `id` is the same for each try, for services that know what they have sent already. */
type Letter = { id: string; text: string };

/**
 * Sends one message to one address; a failure is a value. What the service refused for good (an address that is none, a
 * wrong account) is not tried again.
 */
export type Messenger = (to: string, letter: Letter) => Promise<Sent>;

/** Too slow, too early, too many: the same message may go later. */
const LATER = [408, 425, 429];

/** Whether an HTTP status is a refusal for good: the service will not send this message, however often it is asked. */
export function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && !LATER.includes(status);
}
