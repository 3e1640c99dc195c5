const SECRET = /^lla_([\w-]{1,100})_[\w-]{43}$/;

/** Which agent a secret says it is of; null for what is no secret. */
export function agentNamedBy(secret: string): string | null {
  return SECRET.exec(secret)?.[1] ?? null;
}
