const ALGORITHM = "Ed25519";
/** An Ed25519 private key in PKCS #8 is this, and its 32 bytes. */
const PKCS8_HEAD = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
const NAMED = "lamplighter standing plan";

/** What plans are signed with. `public_key` is base64url, as an agent is given it. */
export type PlanKey = { sign: (text: string) => Promise<string>; public_key: string };

/**
 * An organization's key, derived from the Worker's secret `master` (base64): the same secret always gives the same key,
 * and one organization's says nothing of another's. Throws where the secret is not base64.
 */
export async function planKey(master: string, org_id: string): Promise<PlanKey> {
  const base = await crypto.subtle.importKey("raw", bytesOf(master), "HKDF", false, ["deriveBits"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: encode(org_id), info: encode(NAMED) };
  const seed = new Uint8Array(await crypto.subtle.deriveBits(how, base, 256));
  const pkcs8 = new Uint8Array([...PKCS8_HEAD, ...seed]);
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, true, ["sign"]);
  const jwk = await crypto.subtle.exportKey("jwk", key);
  if (!("x" in jwk) || jwk.x === undefined) throw new Error("a key without its public half");
  return {
    public_key: jwk.x,
    sign: async (text) => base64url(new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, encode(text)))),
  };
}

/** Whether `sig` (base64url) is the signature of `text` by the holder of `public_key`; what is malformed is none. */
export async function isSigned(text: string, sig: string, public_key: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey("raw", bytesOf(public_key), ALGORITHM, false, ["verify"]);
    return await crypto.subtle.verify(ALGORITHM, key, bytesOf(sig), encode(text));
  } catch {
    return false;
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Of base64 or base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.codePointAt(0) ?? 0);
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
