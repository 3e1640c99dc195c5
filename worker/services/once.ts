import { compare } from "#domain/compare";
import { messagesOf } from "#db/constraint-failure";
import { idempotencyKeys } from "#db/idempotency-keys";
import { open, seal } from "#db/sealed";
import { isRefusal, Refusal, type Written } from "#domain/errors";
import type { Scope, Statement } from "#worker/services/scope";
import { sleep } from "#worker/sleep";
import { DAY_MS } from "#domain/time/units";

/** How long a repeated request waits for the first one's answer. */
const WAITS_MS = [50, 100, 200, 400];

type Asked = Pick<Scope, "user" | "org_id" | "db" | "now" | "idempotency_key" | "settings_key">;

type Write<Made> = {
  /** What is written: the kind of record of a create, the record itself of a save. One key serves one of them. */
  call: string;
  /** The unparsed input. */
  input: unknown;
  /** Reads the current record, if the first answer was lost, or cannot be read with this SETTINGS_KEY. */
  again: (id: string) => Promise<Made>;
};

/**
 * Runs a create or a save once per idempotency key; a repeated request gets the first one's answer. A save whose answer was
 * lost would otherwise find its own change, and be told of somebody else's. Put the statements of `remember` in the write's
 * batch. Without a key every request writes. Refuses with `invalid` if the key was used for something else. Keys belong to
 * a person and are kept for 24 hours.
 */
export async function once<Made>(
  scope: Asked,
  { call, input, again }: Write<Made>,
  make: (remember: (id: string) => Statement[]) => Promise<Made>,
): Promise<Made> {
  const { user, org_id, db, idempotency_key: key } = scope;
  if (key === null) return make(() => []);
  const now = scope.now();
  const keys = idempotencyKeys(db, { org_id, user_id: user.id }, new Date(now.getTime() - DAY_MS).toISOString());
  const fingerprint = await hashOf([call, input]);

  async function replay(first: { fingerprint: string; record_id: string }): Promise<Made> {
    const sealed = await answerOf(key ?? "");
    // What was sealed with another SETTINGS_KEY is as lost as an answer that was never kept.
    const kept = sealed === null ? null : await open(sealed, scope.settings_key).catch(() => null);
    if (first.fingerprint !== fingerprint) throw new Refusal("invalid", USED, { written: writtenBy(first, kept) });
    return kept === null ? again(first.record_id) : JSON.parse(kept);
  }

  async function answerOf(key: string, waits = WAITS_MS): Promise<string | null> {
    const [wait, ...more] = waits;
    const sealed = (await keys.find(key))?.sealed_answer ?? null;
    if (sealed !== null || wait === undefined) return sealed;
    await sleep(wait);
    return answerOf(key, more);
  }

  const first = await keys.find(key);
  if (first) return replay(first);
  try {
    const made = await make((id) => keys.remember(key, fingerprint, id, now.toISOString()));
    await keys.answer(key, await seal(JSON.stringify(made), scope.settings_key));
    return made;
  } catch (caught) {
    // The same request was sent twice at once, and the other one won: what it made may be why this one was refused.
    const other = isRefusal(caught) || isTaken(caught) ? await keys.find(key) : undefined;
    if (other) return replay(other);
    throw caught;
  }
}

/**
 * Runs a deletion once per idempotency key: sent again after a lost answer it has been done, where without a key it finds
 * nothing to delete. Put the statements of `remembered` in its batch.
 */
export async function removeOnce(
  scope: Scope,
  record: string,
  remove: (remembered: Statement[]) => Promise<void>,
): Promise<void> {
  await once(scope, { call: `deletion of ${record}`, input: null, again: async () => null }, async (remember) => {
    await remove(remember(record));
    return null;
  });
}

/** Whether the batch failed on the key's own row: the other request was a moment sooner. */
function isTaken(caught: unknown): boolean {
  return /UNIQUE constraint failed: idempotency_keys\./.test(messagesOf(caught));
}

/** A valid key: a UUID, or any visible ASCII. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

/** The version by the answer alone: the record may have been changed since, by somebody else. */
function writtenBy({ record_id: id }: { record_id: string }, answer: string | null): Written {
  const made: unknown = JSON.parse(answer ?? "null");
  const version = typeof made === "object" && made !== null && "version" in made ? made.version : undefined;
  return { id, version: typeof version === "number" ? version : undefined };
}

const USED = "This was sent already with other content. Look whether it was saved before you send it again.";

/** SHA-256 in hex; the order of an object's keys does not matter. */
async function hashOf(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(sorted(value))));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** No request has more lists within lists; thousands of them would end the stack. */
const DEEPEST = 64;

function sorted(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) throw new Refusal("invalid", "The request is nested too deeply.");
  if (Array.isArray(value)) return value.map((one) => sorted(one, depth + 1));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, kept]) => [key, sorted(kept, depth + 1)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => compare(String(a), String(b))));
}
