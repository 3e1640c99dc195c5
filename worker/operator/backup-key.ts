const NAMED = "lamplighter backup";

/**
 * Tells two SETTINGS_KEYs (base64) apart without telling either: the same key always gives the same 32 hex digits. Throws
 * where the secret is not base64.
 */
export async function keyCheck(settings_key: string): Promise<string> {
  const bytes = Uint8Array.from(atob(settings_key), (character) => character.charCodeAt(0));
  const base = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode(NAMED);
  const bits = await crypto.subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    base,
    128,
  );
  return Array.from(new Uint8Array(bits), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
