import type { Outcome } from "#app/forms/form-answer";
import type { SignedIn } from "#worker/context";

/** The code is in this answer only; just its hash is stored. */
export async function invite({ invite }: SignedIn["services"]["users"], person: unknown): Promise<Outcome> {
  const { one_time_password } = await invite(person);
  return { ok: true, toast: "Person invited successfully", detail: null, shown_once: one_time_password };
}

/** A new code, for a pending invitation or a lost password. */
export async function resetPassword({ resetPassword }: SignedIn["services"]["users"], id: string): Promise<Outcome> {
  const { one_time_password } = await resetPassword(id);
  return { ok: true, toast: "New code made", detail: null, shown_once: one_time_password };
}
