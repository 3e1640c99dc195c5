import { fields, text, version, type Handler, type Outcome } from "#app/forms/form-answer";
import type { SignedIn } from "#worker/context";

/** The actions of the agents' forms. */
export function agentHandlers({ agents }: SignedIn["services"], form: FormData): Record<string, Handler> {
  const id = text(form, "id");
  return {
    create: { run: async () => once("Agent created successfully", await agents.create(fields(form, "name"))) },
    save: {
      run: () => agents.save(id, fields(form, "name"), version(form)),
      done: "Agent updated successfully",
    },
    rotate: { run: async () => once("New secret made", await agents.rotate(id)) },
    revoke: { run: () => agents.revoke(id), done: "Agent revoked" },
    remove: { run: () => agents.remove(id), done: "Agent deleted successfully" },
  };
}

/** The secret is in this answer only; just its hash is stored. */
function once(toast: string, { secret }: { secret: string }): Outcome {
  return { ok: true, toast, detail: null, shown_once: secret };
}
