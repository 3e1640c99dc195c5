import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

type Cost = { N: number; r: number; p: number };

/** OWASP's equivalent of N=2^17, r=8, p=1 in 16 MiB: an isolate has 128. */
const COST: Cost = { N: 16_384, r: 8, p: 5 };
const LENGTH = 32;

/** `scrypt$N$r$p$salt$hash`: it says of itself how it was made, so that the cost can rise later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST, LENGTH);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/** Whether the password is the one that was hashed. Without a hash it does the same work and says no. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? NOBODYS).split("$");
  if (scheme !== "scrypt" || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, "base64");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, "base64"), cost, expected.length);
  return timingSafeEqual(actual, expected) && stored !== undefined;
}

const NOBODYS = ["scrypt", COST.N, COST.r, COST.p, "A".repeat(22) + "==", "A".repeat(43) + "="].join("$");

/** NFKC, so that the same password typed on another keyboard is the same. */
function derive(password: string, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, length, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
