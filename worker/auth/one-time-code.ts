import { createHash, randomInt } from "node:crypto";

/** 72 hours: an invitation sent on a Friday can be taken on the Monday. */
const LIFETIME_MS = 72 * 60 * 60 * 1000;

/** Without the letters and digits that are mistaken for each other when read aloud. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** Four groups of four: 79 bits that a person can type. */
export function oneTimeCode(): string {
  return groups(4, 4);
}

/** Ten for each person, shown once: 50 bits each, behind the attempt limits. */
export function recoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => groups(2, 5));
}

/** What is stored. A fast hash is enough: nobody guesses 50 random bits. Case, spaces and hyphens do not count. */
export function hashCode(code: string): string {
  const typed = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  return createHash("sha256").update(typed).digest("base64url");
}

/** The row of a new code for this person; `org_id` is null for the operator's. */
export function codeRow(code: string, user_id: string, org_id: string | null, at: Date) {
  const expires_at = new Date(at.getTime() + LIFETIME_MS).toISOString();
  return { code_hash: hashCode(code), user_id, org_id, expires_at, created_at: at.toISOString() };
}

function groups(count: number, length: number): string {
  const group = () => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: count }, group).join("-");
}
