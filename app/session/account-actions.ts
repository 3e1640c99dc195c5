import type { Handler, Outcome } from "#app/forms/form-answer";
import { fields, text } from "#app/forms/form-answer";
import type { Account } from "#worker/context";

/** The account actions of /welcome and /account, by intent. They add to the headers of the answer. */
export function accountHandlers(account: Account, form: FormData, headers: Headers): Record<string, Handler> {
  return {
    redeem: { run: () => redeem(account, form, headers) },
    begin: { run: () => begin(account, form) },
    confirm: { run: () => confirm(account, form) },
  };
}

async function redeem(account: Account, form: FormData, headers: Headers): Promise<Outcome> {
  const { org_name, headers: session } = await account.redeem(fields(form, "code"));
  for (const [name, value] of session) headers.append(name, value);
  return { ok: true, toast: `You have joined ${org_name}`, detail: null };
}

/** `shown_once` keeps a page without script here for the next step. */
async function begin(account: Account, form: FormData): Promise<Outcome> {
  const setup = await account.beginSecondFactor(fields(form, "current_password"));
  return { ok: true, toast: "Scan the picture with your app", detail: null, setup, shown_once: setup.secret };
}

async function confirm(account: Account, form: FormData): Promise<Outcome> {
  const { recovery_codes } = await account.confirmSecondFactor({ code: text(form, "code") });
  return { ok: true, toast: "Second factor switched on", detail: null, shown_once: recovery_codes.join(" ") };
}
