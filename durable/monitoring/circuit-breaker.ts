import { sidesOf } from "#durable/providers/hybrid";
import { settingsOf } from "#durable/state/plan";
import type { Address, FailurePlace, ProviderResult } from "#durable/providers/provider";
import { insertRows } from "#durable/state/insert-rows";
import { keptTable } from "#durable/state/kept-table";
import type { EngineContext } from "#durable/state/context";

/** After this many failures in a row, of more than one lamp, a hub's queue is paused: one that is broken is no sign. */
const FAILURES_TO_PAUSE = 2;
/** The cloud answers for many hubs and slow lamps at once, so a time-out or two say little about it. */
const CLOUD_FAILURES_TO_PAUSE = 4;
/** While paused, commands fail at once instead of waiting; the first one afterwards is the probe. */
const PAUSE_MS = 15_000;
const CLOUD = "cloud";

/** `lamp`: the one that alone has failed; null where several have, or the hub was asked for itself. */
type Trouble = { failures: number; paused_until: number; lamp: string | null };

const troubles = keptTable<Trouble>({
  read: (sql, hub) =>
    sql.exec<Trouble>("SELECT failures, paused_until, lamp FROM hub_trouble WHERE hub = ?", hub).toArray()[0] ?? null,
  write: (sql, rows) =>
    insertRows(
      sql,
      "INSERT OR REPLACE INTO hub_trouble (hub, failures, paused_until, lamp) VALUES (?, ?, ?, ?)",
      rows.map(({ key, row }) => [key, row.failures, row.paused_until, row.lamp]),
    ),
  readAll: (sql) =>
    sql
      .exec<Trouble & { hub: string }>("SELECT hub, failures, paused_until, lamp FROM hub_trouble")
      .toArray()
      .map(({ hub, ...trouble }) => [hub, trouble]),
  drop: (sql, hub) => void sql.exec("DELETE FROM hub_trouble WHERE hub = ?", hub),
  most: 20_000,
});

/** What went wrong with a hub that is no more concerns nobody any more. */
export function forgetTrouble({ sql }: EngineContext, hub: string): void {
  troubles(sql).drop(hub);
}

/**
 * What a call says about its hub: a hub that answers for a silent device is well. Null where the hub was not asked, was
 * asked in vain by our own fault, or the cloud is what failed.
 */
export function isAlive(answer: ProviderResult): boolean | null {
  if (answer.ok || answer.failures.some(({ reason }) => reason === "device")) return true;
  return answer.failures.some((failure) => failure.where === "hub" && isSilence(failure)) ? false : null;
}

/** What a call says about the vendor's cloud: whether it answered. Null where it was not asked. */
export function isCloudAlive(answer: ProviderResult): boolean | null {
  const failures = answer.failures ?? [];
  if (failures.some((failure) => failure.where === "cloud" && isSilence(failure))) return false;
  if (failures.some(({ where }) => where === "cloud")) return null;
  return answer.provider === "cloud" && answer.http_status !== null ? true : null;
}

/** What was asked of a hub or of the cloud, and the answer. `lamp`: its device; null where the hub was asked for itself. */
export type Asked = { lamp: string | null; answer: ProviderResult };

/** Counts what a call says about its hub. Answers whether the hub is back from trouble that a ladder may have ended in. */
export function noteHub(context: EngineContext, hub: string, { lamp, answer }: Asked): boolean {
  return note(context, hub, { lamp, isAlive: isAlive(answer) }, FAILURES_TO_PAUSE);
}

/** The same for the cloud. */
export function noteCloudAnswer(context: EngineContext, { lamp, answer }: Asked): boolean {
  return note(context, CLOUD, { lamp, isAlive: isCloudAlive(answer) }, CLOUD_FAILURES_TO_PAUSE);
}

export type Pause = { by: FailurePlace; until: number };

/** Whom a command would only wait for in vain right now, and until when (epoch ms); null: nobody, as far as is known. */
export function pauseOf(context: EngineContext, hub: string, { mode, hub: via }: Address): Pause | null {
  // A lamp without a hub has nobody else to be spared from.
  const until = hub.startsWith("hub:") ? pausedUntil(context, hub) : null;
  if (until !== null) return { by: "hub", until };
  const onlyByCloud = mode !== "mock" && sidesOf(mode, via).every((side) => side === "cloud");
  const cloud_until = onlyByCloud ? pausedUntil(context, CLOUD) : null;
  return cloud_until === null ? null : { by: "cloud", until: cloud_until };
}

function isSilence({ reason }: { reason: string }): boolean {
  return reason === "unreachable" || reason === "timeout";
}

function note(
  context: EngineContext,
  hub: string,
  asked: { lamp: string | null; isAlive: boolean | null },
  toPause: number,
): boolean {
  if (asked.isAlive === null) return false;
  const before = troubles(context.sql).get(hub);
  if (asked.isAlive) {
    if (!before) return false;
    troubles(context.sql).drop(hub);
    const ladder = settingsOf(context.sql).RETRY_BACKOFFS_SEC.length + 1;
    return before.failures >= Math.min(ladder, toPause);
  }
  const failures = (before?.failures ?? 0) + 1;
  const lamp = before && before.lamp !== asked.lamp ? null : asked.lamp;
  const paused_until = lamp === null && failures >= toPause ? context.now() + PAUSE_MS : 0;
  troubles(context.sql).put(hub, { failures, paused_until, lamp });
  return false;
}

function pausedUntil(context: EngineContext, hub: string): number | null {
  const until = troubles(context.sql).get(hub)?.paused_until ?? 0;
  return until > context.now() ? until : null;
}
