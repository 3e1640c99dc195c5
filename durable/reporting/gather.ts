import { gatheredText, type OfKind } from "#domain/messages/gathered";
import type { Sent } from "#durable/providers/messenger";
import { meta, nextSeq, setMeta, type EngineContext } from "#durable/state/context";
import { RETRIES_MS, SENDING_MS } from "./message-times";

/** So many messages come to an address one by one in this time; after them, what waits comes together, once in this time. */
const MOST_ALONE = 5;
const GATHER_MS = 300_000;

/**
 * How an address is told: `alone` messages have come one by one since `since`, and those that wait come together at
 * `next_at` (epoch ms), 0 where none does. What was made before `told_until` (a seq) has come with others, or else never will,
 * for the reason `fault`. So many `tries` of the next such message were in vain.
 */
type Telling = {
  since: number;
  alone: number;
  next_at: number;
  told_until: number;
  fault: string | null;
  tries: number;
};

const NEVER_TOLD: Telling = { since: 0, alone: 0, next_at: 0, told_until: 0, fault: null, tries: 0 };

/**
 * What becomes of a message at an address now: it goes by itself, or all that wait, made before `made_until` (a seq), go as one
 * `text`, or it waits until an instant (epoch ms), or is `over`, since it was among others that went.
 */
export type Turn = { do: "alone" } | { do: "together"; text: string; made_until: number } | Settled;
/** A turn at which nothing is left to be done. */
export type Settled = { do: "wait"; until: number } | { do: "over"; sent: Sent };

/**
 * The turn of a message that was made at `seq`. Where the network of a park or of the city fails, each light and
 * hub is an alarm: nobody reads a thousand texts, and no service has carried them by morning. Must run inside a transaction.
 */
export function turnOf(context: EngineContext, to: string, seq: number): Turn {
  const now = context.now();
  const known = tellingOf(context, to);
  if (seq < known.told_until) return overBy(known);
  if (known.next_at === 0) {
    const isOld = now >= known.since + GATHER_MS;
    if (isOld || known.alone < MOST_ALONE) {
      const [since, alone] = isOld ? [now, 0] : [known.since, known.alone];
      save(context, to, { ...NEVER_TOLD, since, alone: alone + 1 });
      return { do: "alone" };
    }
    save(context, to, { ...known, next_at: now + GATHER_MS });
    return { do: "wait", until: now + GATHER_MS };
  }
  if (now < known.next_at) return { do: "wait", until: known.next_at };
  const waiting = waitingFor(context, to, known.told_until);
  if (waiting.reduce((sum, { n }) => sum + n, 0) <= 1) {
    save(context, to, { ...NEVER_TOLD, since: now, alone: 1 });
    return { do: "alone" };
  }
  save(context, to, { ...known, next_at: now + SENDING_MS });
  return { do: "together", text: gatheredText(waiting), made_until: nextSeq(context) };
}

/**
 * Takes in what became of the message in which all went together that were made before `made_until` (a seq). Must run
 * inside a transaction.
 */
export function noteTogether(context: EngineContext, to: string, made_until: number, sent: Sent): Settled {
  const known = tellingOf(context, to);
  const again_ms = !sent.ok && sent.again ? RETRIES_MS[known.tries] : undefined;
  if (again_ms !== undefined) {
    const until = context.now() + again_ms;
    save(context, to, { ...known, next_at: until, tries: known.tries + 1 });
    return { do: "wait", until };
  }
  const next_at = context.now() + GATHER_MS;
  const told = { ...known, next_at, told_until: made_until, fault: sent.ok ? null : sent.detail, tries: 0 };
  save(context, to, told);
  return overBy(told);
}

/** The messages that wait for an address: what is rare first, and what is back again last. */
function waitingFor({ sql }: EngineContext, to: string, told_until: number): OfKind[] {
  return sql
    .exec<OfKind>(
      `SELECT COUNT(*) AS n, MIN(body ->> '$.message') AS message FROM messages
       WHERE CASE WHEN json_valid(body) THEN coalesce(body ->> '$.seq', 0) >= ?2
         AND EXISTS (SELECT 1 FROM json_each(body, '$.left') WHERE value = ?1) END
       GROUP BY body ->> '$.kind' ORDER BY MAX(coalesce(body ->> '$.isEnd', 0)), n, message`,
      to,
      told_until,
    )
    .toArray();
}

function overBy({ fault }: Telling): Settled {
  return { do: "over", sent: fault === null ? { ok: true } : { ok: false, again: false, detail: fault } };
}

function tellingOf({ sql, now }: EngineContext, to: string): Telling {
  const known: Telling = JSON.parse(meta(sql, keyOf(to)) ?? "null") ?? NEVER_TOLD;
  // The clock was ahead then: nobody waits for that hour.
  return known.since > now() ? NEVER_TOLD : known;
}

function save({ sql }: EngineContext, to: string, telling: Telling): void {
  setMeta(sql, keyOf(to), JSON.stringify(telling));
}

function keyOf(to: string): string {
  return `gather:${to}`;
}
