/** `again`: whether it may go better the next time. */
export type Sent = { ok: true } | { ok: false; again: boolean; detail: string };

/** What people are told. `id` is the same for each try, for services that know what they have sent already. */
export type Letter = { id: string; text: string };

/**
 * Sends one message to one address; a failure is a value. What the service refused for good (an address that is none, a
 * wrong account) is not tried again.
 */
export type Messenger = (to: string, letter: Letter) => Promise<Sent>;
