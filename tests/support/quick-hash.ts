import { randomBytes, scryptSync } from "node:crypto";

/**
 * The password's hash at the lowest cost. A stored hash names its own cost, so signing in with it is the product's own work
 * without the third of a second that guessing must take; a new or an unknown password still takes that.
 */
export function quickHash(password: string): string {
  const [N, r, p] = [2, 8, 1];
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N, r, p });
  return ["scrypt", N, r, p, salt.toString("base64"), hash.toString("base64")].join("$");
}
