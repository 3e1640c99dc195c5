import { isWebhookUrl } from "#domain/messages/webhook-schema";
import type { WebhookTarget } from "#domain/messages/webhook-records";
import { webhookWait } from "#domain/messages/webhook-retries";
import { toIso } from "#domain/time/to-iso";
import { postSigned, type Answered } from "#durable/providers/webhook";
import { transact, type EngineContext } from "#durable/state/context";
import { settingsOf } from "#durable/state/plan";
import { putTimer } from "#durable/state/timers";
import { WHOLE_CITY } from "./alarms";
import { closeIncident, notifyOnce, openIncident, openIncidents } from "./incidents";
import { flushLog } from "./webhook-log";
import {
  failuresSoFar,
  forget,
  letWaitForOpened,
  nextMessage,
  record,
  wait,
  wakeForNext,
  type Waiting,
} from "./webhook-queue";

/** Longer than one message takes: whoever is sending by then has died. */
const SENDING_MS = 60_000;

const GONE = { ok: false, http_status: null, answer: "the webhook was deleted or switched off" };

/** Sees to it that messages outlive whoever is sending them. Must run inside a transaction. */
export function watchWebhooks(context: EngineContext): void {
  putTimer(context.sql, "webhooks", "", context.now() + SENDING_MS);
}

/**
 * Sends all messages that are due, one after the other, of one alarm in their order. What became of each is stored before
 * the next leaves, so that a crash repeats one at most, under the same id.
 */
export async function sendWebhooks(context: EngineContext): Promise<void> {
  let last = "";
  let isTold = await flushLog(context);
  for (let message = nextMessage(context, last); message; message = nextMessage(context, last)) {
    const due = message;
    last = due.webhook_id;
    if (transact(context, () => letWaitForOpened(context, due))) continue;
    const target = settingsOf(context.sql).WEBHOOKS.find(({ id }) => id === due.webhook_id);
    const since = context.now();
    const answered = target ? await send(context, target, due) : null;
    const ms = context.now() - since;
    transact(context, () => {
      if (target && answered) settle(context, target, due, answered, ms);
      else giveUp(context, due, GONE, null);
      watchWebhooks(context);
    });
    // A database that is away delays no message.
    if (isTold) isTold = await flushLog(context);
  }
  transact(context, () => wakeForNext(context));
}

/** A webhook that is gone or switched off fails no more. Must run inside a transaction. */
export function forgetFailing(context: EngineContext): void {
  const known = settingsOf(context.sql).WEBHOOKS;
  for (const id of openIncidents(context, "webhook")) {
    if (!known.some((webhook) => webhook.id === id)) closeIncident(context, `webhook:${id}`);
  }
}

async function send(context: EngineContext, target: WebhookTarget, { id, body }: Waiting): Promise<Answered> {
  const refused = (answer: string): Answered => ({ ok: false, http_status: null, answer });
  if (!isWebhookUrl(target.url, context)) return refused("the address may not be called");
  const secrets = await secretsOf(context, target).catch(() => null);
  if (!secrets) return refused("the secret was stored with another SETTINGS_KEY");
  return postSigned(context.post, { url: target.url, secrets }, { id, body, at: context.now() });
}

/** Old ones that were stored with another SETTINGS_KEY are left out: a new secret is how people mend just that. */
async function secretsOf({ unseal, now }: EngineContext, target: WebhookTarget): Promise<string[]> {
  const { secret, previous_secret, previous_until } = target;
  const isOldOneGood = previous_until !== null && Date.parse(previous_until) > now();
  const old = isOldOneGood ? (previous_secret?.split(" ") ?? []) : [];
  const [current, ...readable] = await Promise.all([
    unseal(secret),
    ...old.map((each) => unseal(each).catch(() => null)),
  ]);
  return [current, ...readable.filter((each) => each !== null)];
}

function settle(context: EngineContext, target: WebhookTarget, message: Waiting, answered: Answered, ms: number): void {
  if (!answered.ok) return postpone(context, target, message, answered, ms);
  const now = toIso(context.now());
  const tried = { ...message, attempts: message.attempts + 1 };
  forget(context, message);
  record(context, tried, { ...facts(answered), status: "delivered", ms, last_at: now, next_at: null });
  closeIncident(context, `webhook:${target.id}`);
}

function postpone(
  context: EngineContext,
  target: WebhookTarget,
  message: Waiting,
  answered: Answered,
  ms: number,
): void {
  const failures = failuresSoFar(context, message) + 1;
  const tried = { ...message, failures, attempts: message.attempts + 1 };
  const wait_ms = webhookWait(failures);
  if (wait_ms === null) {
    giveUp(context, tried, answered, ms);
    return noteFailing(context, target, answered);
  }
  const due_at = context.now() + wait_ms;
  wait(context, tried, due_at);
  const last_at = toIso(context.now());
  record(context, tried, { ...facts(answered), status: "pending", ms, last_at, next_at: toIso(due_at) });
}

function giveUp(context: EngineContext, message: Waiting, answered: Answered, ms: number | null): void {
  forget(context, message);
  const last_at = toIso(context.now());
  record(context, message, { ...facts(answered), status: "failed", ms, last_at, next_at: null });
}

function noteFailing(context: EngineContext, { id, name }: WebhookTarget, { http_status, answer }: Answered): void {
  // Deleted or switched off while it was tried, it has no trouble that anything would end.
  if (!settingsOf(context.sql).WEBHOOKS.some((known) => known.id === id)) return;
  const incident = `webhook:${id}`;
  openIncident(context, incident);
  const why = `${name} ${http_status === null ? `did not answer: ${answer}` : `answered ${http_status}`}`;
  const message = `Webhook ${name} has taken no message for more than a day.`;
  notifyOnce(context, incident, "webhook_failing", message, { what: "Not delivered", why, about: WHOLE_CITY });
}

function facts({ http_status, answer }: Answered): { http_status: number | null; answer: string } {
  return { http_status, answer };
}
