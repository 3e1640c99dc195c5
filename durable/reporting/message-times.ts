/** After how long a message is tried again that did not leave, each time. */
export const RETRIES_MS = [30_000, 120_000, 600_000];
/** Longer than one message takes: whoever is sending by then has died. */
export const SENDING_MS = 60_000;
