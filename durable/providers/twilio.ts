import { parseObject } from "#domain/fields/json";
import { isFinal, type Sent } from "./messenger";

/** Sends one text message; a failure is a value. */
export type Sms = (to: string, text: string) => Promise<Sent>;

type Account = { account_sid: string; auth_token: string; from: string; base?: string; timeout_ms?: number };

const TWILIO = "https://api.twilio.com";
const TIMEOUT_MS = 8_000;

/** SMS by Twilio's Messages API; null where an account is not configured. */
export function twilio({ account_sid, auth_token, from, base = TWILIO, timeout_ms = TIMEOUT_MS }: Account): Sms | null {
  if (!account_sid || !auth_token || !from) return null;
  return async (to, text) => {
    try {
      const response = await fetch(`${base}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}/Messages.json`, {
        method: "POST",
        headers: { Authorization: `Basic ${btoa(`${account_sid}:${auth_token}`)}`, Accept: "application/json" },
        body: new URLSearchParams({ To: to, From: from, Body: text }),
        redirect: "manual",
        signal: AbortSignal.timeout(timeout_ms),
      });
      return parseAnswer(response.status, await response.text());
    } catch {
      return { ok: false, again: true, detail: "the SMS service did not answer" };
    }
  };
}

/** A message that was taken has a sid, a refusal a code; what is neither did not come from the service. */
function parseAnswer(status: number, body: string): Sent {
  const answer = parseObject(body) ?? {};
  if (status === 201 && typeof answer.sid === "string") return { ok: true };
  const code = typeof answer.code === "number" ? ` (code ${answer.code})` : "";
  return { ok: false, again: !isFinal(status), detail: `the SMS service answered ${status}${code}` };
}
