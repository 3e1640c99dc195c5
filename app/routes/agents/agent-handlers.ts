import { fields, text, version, type Handler } from "#app/forms/form-answer";
import type { SignedIn } from "#worker/context";
import { shownOnce } from "#app/forms/shown-once";

/** The actions of the agents' forms. */
export function agentHandlers({ agents }: SignedIn["services"], form: FormData): Record<string, Handler> {
  const id = text(form, "id");
  return {
    create: { run: async () => shownOnce("Agent created successfully", await agents.create(fields(form, "name"))) },
    save: {
      run: () => agents.save(id, fields(form, "name"), version(form)),
      done: "Agent updated successfully",
    },
    rotate: { run: async () => shownOnce("New secret made", await agents.rotate(id)) },
    revoke: { run: () => agents.revoke(id), done: "Agent revoked" },
    remove: { run: () => agents.remove(id), done: "Agent deleted successfully" },
  };
}
