import type { Outcome } from "#app/forms/form-answer";

/** A success with a secret that is in this answer only, for its dialog. */
export function shownOnce(toast: string, { secret }: { secret: string }): Outcome {
  return { ok: true, toast, detail: null, shown_once: secret };
}
