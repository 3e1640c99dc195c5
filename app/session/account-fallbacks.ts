import type { Fallbacks } from "#app/forms/form-answer";

/** Apart from the handlers: the browser needs these texts, and nothing of the server's. */
export const ACCOUNT_FAILED = {
  redeem: "Failed to accept the invitation",
  begin: "Failed to begin",
  confirm: "Failed to confirm the code",
} satisfies Fallbacks;
