import type { WebhookMessage } from "#domain/messages/webhook-records";
import { queueAsked } from "#durable/reporting/webhook-queue";
import { transact, type EngineContext } from "#durable/state/context";

/** A person's test, or a message that is sent again: it leaves at once, whatever was tried before. */
export async function sendWebhook(context: EngineContext, message: WebhookMessage): Promise<void> {
  transact(context, () => queueAsked(context, message));
}
