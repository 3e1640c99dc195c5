import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { useRecord } from "#app/router/use-record";
import { useDialog } from "#app/router/view";
import type { Webhook } from "#domain/messages/webhook-records";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep the forms out of the first load. */
const WebhookDialog = dialogOnDemand(() => import("./webhook-dialog"));
const NewSecretDialog = dialogOnDemand(() => import("./new-secret-dialog"));

/** The open dialog of the webhooks. */
export function WebhookDialogs({ webhooks }: { webhooks: Webhook[] }) {
  const { dialog: opened } = useDialog();
  const { dialog, record: webhook, close } = useRecord(webhooks);
  if (opened === "new") {
    return <WebhookDialog webhook={null} onClose={close} />;
  }
  if (!webhook) return null;
  if (dialog === "delete") {
    return (
      <ConfirmDialog
        title="Delete Webhook"
        text={`Are you sure you want to delete ${webhook.name}? It is told of no alarm any more, and what waits for it is given up.`}
        intent="remove"
        record={{ id: webhook.id }}
        words={DELETE_WORDS}
        onClose={close}
      />
    );
  }
  if (dialog === "edit") return <WebhookDialog key={webhook.id} webhook={webhook} onClose={close} />;
  return dialog === "reset" ? <NewSecretDialog key={webhook.id} webhook={webhook} onClose={close} /> : null;
}
