import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

type Cost = { N: number; r: number; p: number };

/** OWASP's equivalent of N=2^17, r=8, p=1 that needs only 16 MiB of an isolate's 128. */
const COST: Cost = { N: 16_384, r: 8, p: 5 };
const LENGTH = 32;

/** `scrypt$N$r$p$salt$hash`, with its parameters, so that the cost can rise later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST, LENGTH);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/** Whether the password matches the hash. Without a hash it does the same work and returns false. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? NOBODYS).split("$");
  if (scheme !== "scrypt" || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, "base64");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, "base64"), cost, expected.length);
  return timingSafeEqual(actual, expected) && stored !== undefined;
}

const NOBODYS = ["scrypt", COST.N, COST.r, COST.p, "A".repeat(22) + "==", "A".repeat(43) + "="].join("$");

/** NFKC, so that a password is the same from any keyboard. */
function derive(password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, length, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
