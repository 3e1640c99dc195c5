import { fields, text, version, type Handler } from "#app/forms/form-answer";
import type { SignedIn } from "#worker/context";
import { shownOnce } from "#app/forms/shown-once";

/** The actions of the webhooks' forms. */
export function webhookHandlers({ webhooks }: SignedIn["services"], form: FormData): Record<string, Handler> {
  const id = text(form, "id");
  const input = () => ({ ...fields(form, "name", "url"), active: text(form, "active") === "true" });
  return {
    create: { run: async () => shownOnce("Webhook created successfully", await webhooks.create(input())) },
    save_webhook: {
      run: () => webhooks.save(id, input(), version(form)),
      done: "Webhook updated successfully",
    },
    rotate: { run: async () => shownOnce("New secret made", await webhooks.rotate(id)) },
    test_webhook: { run: () => webhooks.test(id), done: "Test sent: its deliveries tell what became of it" },
    remove: { run: () => webhooks.remove(id), done: "Webhook deleted successfully" },
    send_again: { run: () => webhooks.sendAgain(id), done: "Sent again: its deliveries tell what became of it" },
  };
}
