import { fromBase64, toBase64 } from "#domain/fields/base64";

/** Secrets at rest: AES-256-GCM with a fresh nonce, as `v1.<base64 of nonce and ciphertext>`. */
const SCHEME = "v1.";
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

/** Encrypts text with a key of 32 bytes in base64. Throws if the key is invalid. */
export async function seal(plain: string, key: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce },
    await imported(key),
    new TextEncoder().encode(plain),
  );
  return SCHEME + toBase64(new Uint8Array([...nonce, ...new Uint8Array(sealed)]));
}

/** Decrypts sealed text. Throws if it was sealed with another key or tampered with. */
export async function open(sealed: string, key: string): Promise<string> {
  if (!sealed.startsWith(SCHEME)) throw new Error("Not a sealed secret");
  const bytes = fromBase64(sealed.slice(SCHEME.length));
  const plain = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: bytes.slice(0, NONCE_BYTES) },
    await imported(key),
    bytes.slice(NONCE_BYTES),
  );
  return new TextDecoder().decode(plain);
}

/** Whether this can seal: 32 bytes in base64. */
export function isSealingKey(key: string): boolean {
  try {
    return fromBase64(key).length === KEY_BYTES;
  } catch {
    return false; // not base64
  }
}

function imported(key: string): Promise<CryptoKey> {
  if (!isSealingKey(key)) throw new Error("SETTINGS_KEY must be 32 bytes in base64");
  const bytes = fromBase64(key);
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}
