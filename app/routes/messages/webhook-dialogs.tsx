import { Suspense } from "react";
import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { useRecord } from "#app/router/use-record";
import { useDialog } from "#app/router/view";
import type { Webhook } from "#domain/messages/webhook-records";
import { onDemand } from "#app/ui/on-demand";
import { Arriving } from "#app/ui/arriving";

/** Loaded on demand, to keep the forms out of the first load. */
const WebhookDialog = onDemand(() => import("./webhook-dialog"));
const NewSecretDialog = onDemand(() => import("./webhook-secret"));

/** The open dialog of the webhooks. */
export function WebhookDialogs({ webhooks }: { webhooks: Webhook[] }) {
  const { dialog: opened } = useDialog();
  const { dialog, record: webhook, close } = useRecord(webhooks);
  if (opened === "new") {
    return (
      <Suspense fallback={<Arriving />}>
        <WebhookDialog webhook={null} onClose={close} />
      </Suspense>
    );
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
  return (
    <Suspense key={webhook.id} fallback={<Arriving />}>
      {dialog === "edit" && <WebhookDialog webhook={webhook} onClose={close} />}
      {dialog === "reset" && <NewSecretDialog webhook={webhook} onClose={close} />}
    </Suspense>
  );
}
