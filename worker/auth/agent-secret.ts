import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const RANDOM_BYTES = 32;
const HINT_LENGTH = 4;

/**
 * A new secret of an on-site agent, `lla_<agent id>_<32 random bytes, base64url>`, and what is kept of it: a fast hash is
 * enough, since nobody guesses 256 random bits.
 */
export function newAgentSecret(agent_id: string): { secret: string; secret_hash: string; hint: string } {
  const secret = `lla_${agent_id}_${randomBytes(RANDOM_BYTES).toString("base64url")}`;
  return { secret, secret_hash: hashOf(secret), hint: secret.slice(-HINT_LENGTH) };
}

/** Whether it is the secret of which the hash is kept; takes the same time for a wrong one. */
export function isSecretOf(secret: string, secret_hash: string): boolean {
  const [given, kept] = [Buffer.from(hashOf(secret)), Buffer.from(secret_hash)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}

/** SHA-256 in hex. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
