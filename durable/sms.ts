/** Sends one text message; a failure is a value. */
export type Sms = (to: string, text: string) => Promise<{ ok: true } | { ok: false; detail: string }>;

type Account = { account_sid: string; auth_token: string; from: string; base?: string };

const TWILIO = "https://api.twilio.com";
const TIMEOUT_MS = 8_000;

/** SMS by Twilio's Messages API (decision 25); null where an account is not configured. */
export function twilio({ account_sid, auth_token, from, base = TWILIO }: Account): Sms | null {
  if (!account_sid || !auth_token || !from) return null;
  return async (to, text) => {
    try {
      const response = await fetch(`${base}/2010-04-01/Accounts/${encodeURIComponent(account_sid)}/Messages.json`, {
        method: "POST",
        headers: { Authorization: `Basic ${btoa(`${account_sid}:${auth_token}`)}` },
        body: new URLSearchParams({ To: to, From: from, Body: text }),
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      return response.status === 201
        ? { ok: true }
        : { ok: false, detail: `the SMS service answered ${response.status}` };
    } catch {
      return { ok: false, detail: "the SMS service did not answer" };
    }
  };
}
