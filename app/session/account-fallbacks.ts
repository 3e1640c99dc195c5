import type { Fallbacks } from "#app/forms/form-answer";

/** Separate from the handlers, since the browser needs these texts but no server code. */
export const ACCOUNT_FAILED = {
  redeem: "Failed to accept the invitation",
  begin: "Failed to begin",
  confirm: "Failed to confirm the code",
} satisfies Fallbacks;
