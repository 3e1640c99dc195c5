import { seal } from "#db/sealed";
import { webhooks } from "#db/webhooks";
import { Refusal } from "#domain/errors";
import { logQuery } from "#domain/lists/log-query";
import type { Webhook, WebhookDelivery, WebhookMessage, WebhookWithSecret } from "#domain/messages/webhook-records";
import { webhookInput } from "#domain/messages/webhook-schema";
import { DAY_MS } from "#domain/time/units";
import { newWebhookSecret } from "#durable/providers/webhook";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { found, judgeAnew } from "#worker/services/refuse";
import { permit, unanswered, type Scope } from "#worker/services/scope";

const MOST_WEBHOOKS = 10;
const HINT_LENGTH = 4;
/** How long the old secret signs beside a new one. */
const CHANGE_OVER_MS = DAY_MS;

/** The addresses of other systems that are told of alarms. Their secrets are shown once. */
export function webhookService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = webhooks(db, org_id);
  const find = async (id: string): Promise<Webhook> => found(await repository.find(id), "Webhook");
  const read = (input: unknown) => parse(webhookInput({ loopback: scope.demo }), input);

  return {
    /** Refuses with `forbidden`. */
    list: (): Promise<Webhook[]> => {
      permit(user, "settings.edit");
      return repository.list();
    },

    /** The secret is in this answer only. Refuses with `forbidden`, `invalid` and `conflict`. */
    create: async (input: unknown): Promise<WebhookWithSecret> => {
      permit(user, "settings.edit");
      return once(scope, { call: "webhook", input, again: madeBefore }, async (remember) => {
        const values = read(input);
        const id = scope.newId();
        const { secret, kept } = await newSecret();
        await commit(scope, "webhook", [
          repository.create(id, values, kept, MOST_WEBHOOKS),
          audited(scope, "create", "webhook", id, { after: { ...values, hint: kept.hint } }),
          ...remember(id),
        ]).catch(judgeAnew(refuseFull));
        return { ...(await find(id)), secret };
      });
    },

    /** Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Webhook> => {
      permit(user, "settings.edit");
      return once(scope, { call: `save of webhook ${id}`, input, again: find }, async (remember) => {
        const before = await find(id);
        const values = read(input);
        await commit(scope, "webhook", [
          repository.save(id, values, if_match),
          audited(scope, "update", "webhook", id, { before: told(before), after: { ...told(before), ...values } }),
          ...remember(id),
        ]);
        return find(id);
      });
    },

    /**
     * Makes a new secret, which is in this answer only; for a day those before it sign, too, so that the far end may change
     * over. Refuses with `forbidden` and `not_found`.
     */
    rotate: async (id: string): Promise<WebhookWithSecret> => {
      permit(user, "settings.edit");
      const before = await find(id);
      const { secret, kept } = await newSecret();
      const { hint, issued_at } = kept;
      const until = new Date(scope.now().getTime() + CHANGE_OVER_MS).toISOString();
      await commit(scope, "webhook", [
        repository.renew(id, kept, until),
        audited(scope, "rotate", "webhook", id, { before: told(before), after: { ...told(before), hint, issued_at } }),
      ]);
      return { ...(await find(id)), secret };
    },

    /** What waits for it is given up. Refuses with `forbidden` and `not_found`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "settings.edit");
      return removeOnce(scope, `webhook ${id}`, async (remembered) => {
        const before = told(await find(id));
        await commit(scope, "webhook", [
          audited(scope, "delete", "webhook", id, { before }),
          repository.remove(id),
          ...remembered,
        ]);
      });
    },

    /** Sends it a message of type `test`. Refuses with `forbidden`, `not_found`, `conflict` and `unavailable`. */
    test: async (id: string): Promise<void> => {
      permit(user, "settings.edit");
      const webhook = await find(id);
      const [message, created_at] = [`msg_${scope.newId()}`, scope.now().toISOString()];
      const body = JSON.stringify({ id: message, type: "test", at: created_at, organization: org_id });
      const facts = { type: "test", alarm_id: null, subject: "Test", created_at, attempts: 0 } as const;
      await send(webhook, { id: message, webhook_id: id, body, ...facts });
    },

    /** The latest messages first. `query` has limit and cursor; refuses with `forbidden` and `invalid`. */
    deliveries: async (query: unknown = {}): Promise<WebhookDelivery[]> => {
      permit(user, "settings.edit");
      return repository.deliveries(parse(logQuery, query));
    },

    /** Sends a message again, under the same id. Refuses with `forbidden`, `not_found`, `conflict` and `unavailable`. */
    sendAgain: async (delivery_id: string): Promise<void> => {
      permit(user, "settings.edit");
      const { id, webhook_id, type, alarm_id, subject, body, created_at, attempts } = found(
        await repository.findDelivery(delivery_id),
        "Delivery",
      );
      const webhook = await find(webhook_id);
      await send(webhook, { id, webhook_id, type, alarm_id, subject, body, created_at, attempts });
    },
  };

  async function refuseFull(): Promise<void> {
    if (((await repository.count())?.n ?? 0) >= MOST_WEBHOOKS) throw new Refusal("conflict", TOO_MANY);
  }

  async function send(webhook: Webhook, message: WebhookMessage): Promise<void> {
    if (!webhook.active) throw new Refusal("conflict", "This webhook is switched off");
    const { id, type } = message;
    const after = { name: webhook.name, message: id, type };
    // First, since the engine may take it and its answer be lost.
    await db.batch([audited(scope, "send", "webhook", webhook.id, { after })]);
    await scope.scheduler.sendWebhook({ org_id, message }).catch(unanswered);
  }

  async function newSecret() {
    const secret = newWebhookSecret();
    const sealed = await seal(secret, scope.settings_key);
    const kept = { secret: sealed, hint: secret.slice(-HINT_LENGTH), issued_at: scope.now().toISOString() };
    return { secret, kept };
  }

  /** The secret was in the lost first answer, so a new one is needed. */
  async function madeBefore(): Promise<WebhookWithSecret> {
    throw new Refusal("conflict", "This webhook was created already. Make a new secret for it if its own was lost");
  }
}

const TOO_MANY = `There may be at most ${MOST_WEBHOOKS} webhooks`;

/** What an audit entry tells of it; what it was sent changes by itself. */
function told({ id, version, updated_at, name, url, active, hint, issued_at }: Webhook) {
  return { id, version, updated_at, name, url, active, hint, issued_at };
}
