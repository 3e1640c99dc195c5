import { gatheredText, type OfKind } from "#domain/messages/gathered";
import type { Sent } from "#durable/providers/messenger";
import { meta, nextSeq, setMeta } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { RETRIES_MS, SENDING_MS } from "./message-times";

/** So many messages come to an address one by one in this time; after them, what waits comes together, once in this time. */
const MOST_ALONE = 5;
const GATHER_MS = 300_000;

/** Longer than a message outlives those that told of it. */
const MOST_FATES = 10;

/**
 * How an address is told: `alone` messages have come one by one since `since`, and those that wait come together at
 * `next_at` (epoch ms), 0 where none does. So many `tries` of the next such message were in vain, and the first stood for what
 * was made before `tried_until` (a seq). `told`, the oldest first, says what became of those before.
 */
type Telling = {
  since: number;
  alone: number;
  next_at: number;
  tries: number;
  tried_until: number;
  told: Fate[];
};

/** What was made before `until` (a seq), and after the fate before, has come with others, or never will, for the reason `fault`. */
type Fate = { until: number; fault: string | null };

const NEVER_TOLD: Telling = { since: 0, alone: 0, next_at: 0, tries: 0, tried_until: 0, told: [] };

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
  const fate = known.told.find(({ until }) => seq < until);
  if (fate) return overBy(fate);
  if (known.next_at === 0) {
    const isOld = now >= known.since + GATHER_MS;
    if (isOld || known.alone < MOST_ALONE) {
      const [since, alone] = isOld ? [now, 0] : [known.since, known.alone];
      save(context, to, { ...known, since, alone: alone + 1 });
      return { do: "alone" };
    }
    // By then those that go one by one have gone, and none of them is told once more.
    const next_at = Math.max(known.since + GATHER_MS, now + SENDING_MS);
    save(context, to, { ...known, next_at });
    return { do: "wait", until: next_at };
  }
  if (now < known.next_at) return { do: "wait", until: known.next_at };
  const waiting = waitingFor(context, to, known.told.at(-1)?.until ?? 0);
  if (waiting.reduce((sum, { n }) => sum + n, 0) <= 1) {
    save(context, to, { ...NEVER_TOLD, told: known.told, since: now, alone: 1 });
    return { do: "alone" };
  }
  save(context, to, { ...known, next_at: now + SENDING_MS });
  return { do: "together", text: gatheredText(waiting), made_until: nextSeq(context) };
}

/**
 * Takes in what became of the message in which all went together that were made before `made_until` (a seq). Where it did
 * not leave, also the last time, those have failed that its first try stood for: what came later has its tries before it.
 * Must run inside a transaction.
 */
export function noteTogether(context: EngineContext, to: string, made_until: number, sent: Sent): void {
  const known = tellingOf(context, to);
  const now = context.now();
  const mayGo = !sent.ok && sent.again;
  const tried_until = known.tries === 0 ? made_until : known.tried_until;
  const again_ms = mayGo ? RETRIES_MS[known.tries] : undefined;
  if (again_ms !== undefined) {
    return save(context, to, { ...known, next_at: now + again_ms, tries: known.tries + 1, tried_until });
  }
  const fate = { until: mayGo ? tried_until : made_until, fault: sent.ok ? null : sent.detail };
  const before = known.told.at(-1)?.fault === fate.fault ? known.told.slice(0, -1) : known.told;
  const told = [...before, fate].slice(-MOST_FATES);
  save(context, to, { ...NEVER_TOLD, told, since: now, alone: MOST_ALONE });
}

/** The messages that wait for an address: what is rare first, and what is back again last. */
function waitingFor({ sql }: EngineContext, to: string, told_until: number): OfKind[] {
  return sql
    .exec<OfKind>(
      `SELECT COUNT(*) AS n, MIN(body ->> '$.message') AS message FROM messages
       WHERE CASE WHEN json_valid(body) THEN body ->> '$.seq' >= ?2
         AND EXISTS (SELECT 1 FROM json_each(body, '$.left') WHERE value = ?1) END
       GROUP BY body ->> '$.kind' ORDER BY MAX(coalesce(body ->> '$.isEnd', 0)), n, message`,
      to,
      told_until,
    )
    .toArray();
}

function overBy({ fault }: Fate): Settled {
  return { do: "over", sent: fault === null ? { ok: true } : { ok: false, again: false, detail: fault } };
}

function tellingOf({ sql, now }: EngineContext, to: string): Telling {
  const known: Telling = { ...NEVER_TOLD, ...JSON.parse(meta(sql, keyOf(to)) ?? "null") };
  // The clock was ahead then: nobody waits for that hour.
  return known.since > now() ? { ...NEVER_TOLD, told: known.told } : known;
}

function save({ sql }: EngineContext, to: string, telling: Telling): void {
  setMeta(sql, keyOf(to), JSON.stringify(telling));
}

function keyOf(to: string): string {
  return `gather:${to}`;
}
