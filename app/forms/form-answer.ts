import { data, redirect } from "@remix-run/cloudflare";
import { HTTP_STATUS, isRefusal, Refusal, refusalOf, type FieldErrors, type Written } from "#domain/errors";
import { maySeeDept } from "#domain/organization/permissions";
import type { SecondFactorSetup, User } from "#domain/records/records";
import { own } from "#app/forms/own";
import { logFailure } from "#app/router/log-failure";
import { setFlash, type Flash } from "#app/session/flash";

/** The result of every action: a toast, an optional second line, and a message for each wrong field. */
export type FormAnswer = Flash & {
  errors: FieldErrors;
  /** The submitted values, to render the page again without script. */
  typed?: Record<string, string>;
  /** When the hardware answered (ISO 8601), if it did. */
  at?: string;
  /** A one-time password, for the dialog and never for a toast. */
  shown_once?: string | null;
  /** The form that takes a success back: where it is posted, and its fields. */
  undo?: { action: string; fields: Record<string, string> };
  /** The setup of an authenticator app. */
  setup?: SecondFactorSetup;
  /**
   * Of a form whose answer was lost, and that was changed and sent again: what it has saved, and how it saves over that;
   * empty where it cannot.
   */
  saved_before?: Partial<SavedBefore>;
};

type SavedBefore = { intent: string; id: string; version: number };

/** A result with its own toast, since an answered call is not always a success. */
export type Outcome = Omit<FormAnswer, "errors" | "typed">;
/**
 * Handles one intent of a form. `done` is the success toast, unless the outcome brings its own; `over` is the intent with
 * which the same form saves over what it has made.
 */
export type Handler = { run: () => Promise<Outcome | object | void>; done?: string; over?: string };
/** For each intent, the toast for a failure without a message of its own. */
export type Fallbacks = Record<string, string>;

/**
 * Runs the handler of the form's `intent` and turns every failure into an answer, so that the screen stays. A handler may
 * add to the headers of a success.
 */
export async function answer(
  user: User,
  form: FormData,
  handlers: Record<string, Handler>,
  failed: Fallbacks,
  headers?: Headers,
) {
  const intent = text(form, "intent");
  const fallback = own(failed, intent) ?? "Not found";
  try {
    if (form.get("org_id") !== user.current_org_id) throw new Refusal("conflict", STALE_TAB);
    const handler = own(handlers, intent);
    if (!handler) throw new Refusal("not_found", fallback);
    const outcome = await handler.run();
    if (outcome && isOutcome(outcome)) return data<FormAnswer>({ ...outcome, errors: {} }, { headers });
    return data<FormAnswer>({ ok: true, toast: handler.done ?? "", detail: null, errors: {} }, { headers });
  } catch (caught) {
    if (isRefusal(caught) && caught.code === "unauthenticated") throw expired();
    const before = isRefusal(caught) && caught.written && savedBefore(caught.written, form, own(handlers, intent));
    const isHidden = isRefusal(caught) && caught.code === "not_found" && isOfAnotherDept(user, form);
    const stale = before && before.id !== undefined ? SAVED_BEFORE : isHidden && STALE_DEPT;
    const refusal = stale ? new Refusal("conflict", stale) : caught;
    return refused(refusal, fallback, { typed: texts(form), ...(before && { saved_before: before }) });
  }
}

/** Whether it was opened where another department was chosen, or none, which the person can choose again. */
function isOfAnotherDept(user: User, form: FormData): boolean {
  const dept_id = optional(form, "current_dept_id");
  return form.has("current_dept_id") && dept_id !== user.current_dept_id && maySeeDept(user, dept_id);
}

/** A form that names a record saves over that record only. */
function savedBefore({ id, version }: Written, form: FormData, handler: Handler | undefined): Partial<SavedBefore> {
  const named = text(form, "id");
  const intent = handler?.over ?? (named && text(form, "intent"));
  return intent && version !== undefined && [id, ""].includes(named) ? { intent, id, version } : {};
}

/** A failure as an answer: the refusal's message, or the screen's fallback. */
export function refused(caught: unknown, fallback: string, more: Pick<FormAnswer, "typed" | "saved_before"> = {}) {
  if (caught instanceof Response) throw caught;
  if (!isRefusal(caught)) logFailure(caught);
  const refusal = refusalOf(caught);
  const answer = {
    ok: false,
    toast: refusal?.detail || fallback,
    detail: null,
    errors: refusal?.fields ?? {},
    ...more,
  };
  return data<FormAnswer>(answer, { status: refusal ? HTTP_STATUS[refusal.code] : 500 });
}

export function isFormAnswer(value: unknown): value is FormAnswer {
  return typeof value === "object" && value !== null && "toast" in value && "errors" in value;
}

/** Every text field of a form, lists comma-separated. Keys and passwords are left out: they are never sent back. */
export function texts(form: FormData): Record<string, string> {
  const names = [...form.keys()].filter((name) => !SECRETS.test(name));
  return Object.fromEntries(names.map((name) => [name, form.getAll(name).join(",")]));
}

const SECRETS = /password|secret|_KEY$/;

/** A text field; '' if it is missing or a file. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** The named fields as typed; the schemas trim and validate them. */
export function fields<Name extends string>(form: FormData, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, text(form, name)]));
}

/** An optional field; '' becomes null. */
export function optional(form: FormData, name: string): string | null {
  return text(form, name).trim() || null;
}

/** The version of the record that the form was opened with, for If-Match. */
export function version(form: FormData): number | undefined {
  return Number(text(form, "version")) || undefined;
}

const SAVED_BEFORE = "What you sent first was saved after all. Send it once more to save what you have changed since.";
const STALE_TAB = "You have switched organization in another tab. Reload this page and try again.";
const STALE_DEPT =
  "You have switched department in another tab, which hides this record. Switch back there and try again.";

function isOutcome(outcome: object): outcome is Outcome {
  return "toast" in outcome;
}

function expired() {
  const headers = new Headers();
  setFlash(headers, "expired");
  return redirect("/login", { headers });
}
