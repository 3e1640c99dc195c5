import { text, version, type Outcome } from "#app/forms/form-answer";
import type { SignedIn } from "#worker/context";
import { skipSent } from "./schedule-sent";

/** Skips the night that a form names, and says how that is taken back. */
export async function skipNight({ user, services }: SignedIn, form: FormData): Promise<Outcome> {
  const id = text(form, "id");
  const night = skipSent(form);
  await services.schedules.skip(id, night, version(form));
  const fields = { intent: "unskip", org_id: user.current_org_id, id, start_at: night.start_at };
  return { ok: true, toast: "Night skipped", detail: null, undo: { action: "/schedules", fields } };
}
