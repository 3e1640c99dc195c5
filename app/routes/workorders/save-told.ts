import { text, type Outcome } from "#app/forms/form-answer";
import type { Workorder } from "#domain/records/records";

/** What is said of a save, also that it has taken the work order from whoever the form still named. */
export function toldOfSave(form: FormData, { assigned_to }: Pick<Workorder, "assigned_to">): Outcome {
  const isReleased = text(form, "assigned_to") !== "" && assigned_to === null;
  return { ok: true, toast: "Workorder updated successfully", detail: isReleased ? RELEASED : null };
}

const RELEASED = "It is nobody's now: the person who had it does not see its department, or has left.";
