import { createHash, randomInt } from "node:crypto";

/**
 * 72 hours, so that an invitation sent on a Friday still works on the Monday. `npm run admin` loads it as it runs.
 * @public
 */
export const LIFETIME_HOURS = 72;

/** Without letters and digits that are easily confused. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** Four groups of four: 79 bits that a person can type. */
export function oneTimeCode(): string {
  return groups(4, 4);
}

/** Ten per person, shown once; 50 bits each, protected by the attempt limits. */
export function recoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => groups(2, 5));
}

/** The stored hash, ignoring case, spaces and hyphens. A fast hash is enough, since nobody guesses 50 random bits. */
export function hashCode(code: string): string {
  const typed = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  return createHash("sha256").update(typed).digest("base64url");
}

/** The row of a new code for this person; `org_id` is null for the operator's recovery. */
export function codeRow(code: string, user_id: string, org_id: string | null, at: Date) {
  const expires_at = new Date(at.getTime() + LIFETIME_HOURS * 60 * 60 * 1000).toISOString();
  return { code_hash: hashCode(code), user_id, org_id, expires_at, created_at: at.toISOString() };
}

function groups(count: number, length: number): string {
  const group = () => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: count }, group).join("-");
}
