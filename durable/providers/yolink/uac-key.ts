export type Credentials = { client_id: string; client_secret: string };

/** The two halves of a UAC key: `uac.<UAID>:<secret>`, or with a dot; null where it does not split. */
export function splitUacKey(key: string): Credentials | null {
  const text = key.trim().replace(/^uac\./, "");
  const at = text.includes(":") ? text.indexOf(":") : text.indexOf(".");
  const [client_id, client_secret] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  return /^ua_[A-Za-z0-9]+$/.test(client_id) && /^sec_[\w+/=.-]+$/.test(client_secret)
    ? { client_id, client_secret }
    : null;
}
