import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";

/** The same hash as worker/auth/password.ts, which verifies it, for Node. */
export async function hashPassword(password) {
  const [N, r, p] = [16_384, 8, 5];
  const salt = randomBytes(16);
  const hash = await promisify(scrypt)(password.normalize("NFKC"), salt, 32, { N, r, p, maxmem: 64 * 1024 * 1024 });
  return ["scrypt", N, r, p, salt.toString("base64"), hash.toString("base64")].join("$");
}
