/** What bytes say in UTF-8, without a byte order mark; null where they are another encoding, whose letters would be garbled. */
export function utf8Text(bytes: Uint8Array | ArrayBuffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
