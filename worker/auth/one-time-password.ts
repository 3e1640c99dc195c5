import { randomInt } from "node:crypto";

/** Without the letters and digits that are taken for each other when it is read out. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** Four groups of four: 79 bits, and a person can type it. */
export function oneTimePassword(): string {
  const group = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
