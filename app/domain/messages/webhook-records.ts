import { z } from "zod";
import { DELIVERY_STATUSES, WEBHOOK_TYPES } from "#domain/enums";

const instant = z.iso.datetime();
const text = z.string().nullable();

/** An address of another system that is told of alarms. */
export const webhook = z
  .object({
    id: z.string(),
    version: z.int(),
    created_at: instant,
    updated_at: instant,
    name: z.string(),
    url: z.string(),
    active: z.boolean(),
    hint: z.string().describe("The last characters of its secret"),
    issued_at: instant.describe("When that secret was made"),
    last_at: instant.nullable().describe("When a message last left for it"),
    last_status: z.enum(DELIVERY_STATUSES).nullable().describe("What became of that message"),
    waiting: z.int().describe("How many messages wait for another try"),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhook>;

/** The secret is shown once, when it is made. */
export const webhookWithSecret = z.object({ ...webhook.shape, secret: z.string() }).meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

/** A message to a webhook, and what became of it. */
export const webhookDelivery = z
  .object({
    id: z.string().describe("The message's webhook-id: the same for each try"),
    created_at: instant,
    webhook_id: z.string(),
    webhook_name: text.describe("Null where the webhook was deleted"),
    type: z.enum(WEBHOOK_TYPES),
    alarm_id: text,
    subject: z.string().describe("'Dark: still off after 3 tries'"),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    http_status: z.int().nullable(),
    ms: z.int().nullable().describe("How long the last try took"),
    answer: text.describe("The beginning of the last answer, or why there was none"),
    last_at: instant.nullable(),
    next_at: instant.nullable().describe("When it is tried again"),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/**
 * A webhook as the engine sends to it; secrets are sealed. Those of `previous_secret`, parted by spaces, sign too until
 * `previous_until` (ISO).
 */
export type WebhookTarget = {
  id: string;
  name: string;
  url: string;
  secret: string;
  previous_secret: string | null;
  previous_until: string | null;
};

/** A message to a webhook that the engine is to send; `body` is what was signed. Instants are ISO 8601. */
export type WebhookMessage = Pick<
  WebhookDelivery,
  "id" | "webhook_id" | "type" | "alarm_id" | "subject" | "created_at" | "attempts"
> & {
  body: string;
};
