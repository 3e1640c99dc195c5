import { text, version, type Handler } from "#app/forms/form-answer";
import { Refusal } from "#domain/errors";
import type { SignedIn } from "#worker/context";

/** The actions of the policies' forms; a policy's id is 'scope:id'. */
export function policyHandlers(services: SignedIn["services"], form: FormData): Record<string, Handler> {
  const [scope = "", ...rest] = text(form, "id").split(":");
  const id = rest.join(":");
  const create = async () => {
    if (id === "") throw new Refusal("invalid", NO_PLACE, { fields: { place: NO_PLACE } });
    return services.policies.create(scope, id, policySent(form));
  };
  const save = () => services.policies.save(scope, id, policySent(form), version(form));
  return {
    create_policy: { run: create, done: "Policy created successfully", over: "save_policy" },
    save_policy: { run: save, done: "Policy updated successfully" },
    remove_policy: { run: () => services.policies.remove(scope, id), done: "Policy deleted successfully" },
  };
}

const NO_PLACE = "Select a type, an area or a group";

/** Null inherits; '' and 0 are none. */
function policySent(form: FormData) {
  const own = (says: string, typed: unknown, none: unknown) => (says === "own" ? typed : says === "none" ? none : null);
  const dark = text(form, "dark");
  return {
    HARD_CURFEW_OFF: own(dark, text(form, "HARD_CURFEW_OFF"), ""),
    BLACKOUT_WINDOW: own(dark, text(form, "BLACKOUT_WINDOW"), ""),
    // Non-numeric input becomes NaN; the schema rejects it.
    MAX_ON_DURATION_MIN: own(text(form, "longest"), Number(text(form, "MAX_ON_DURATION_MIN").trim() || NaN), 0),
  };
}
