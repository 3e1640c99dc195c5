import { compare } from "#domain/compare";
import { meta, setMeta } from "#durable/state/meta";
import type { EngineContext } from "#durable/state/context";
import { plan } from "#durable/state/plan";
import { commandFor, saveCommand, type Command } from "./command-table";

/** Nobody waits longer than this for a turn, however long the area's stagger is. */
const WITHIN_MS = 300_000;
/**
 * An ON whose turn comes at most this late, because D1 hangs say, still belongs to the wave before it and may have to leave
 * at once. After a longer pause, as of a dead process, a new wave begins.
 */
const LATE_MS = 15_000;

/** Places are given anew if the last one then comes at least so much earlier. */
const CLOSER_MS = 1_000;

/**
 * The ONs of an area that leave one after the other (epoch ms). `began`: they count as waiting since then at the earliest;
 * `tail`: when the last of those that wait may leave.
 */
type Wave = { began: number; left_at: number; gap_ms: number; tail: number };

/**
 * When the ON may leave (epoch ms): the area's stagger after the last ON of the area; null if now. A person's ON takes the
 * next turn, others the one behind all that wait. An ON that had to wait keeps its place.
 */
export function waitsForTurn(context: EngineContext, { device_id, source, queued_at }: Command): number | null {
  const area_id = staggeredArea(context, device_id);
  const wave = area_id === null ? null : waveOf(context, area_id);
  if (area_id === null || wave === null) return null;
  const free_at = wave.left_at + wave.gap_ms;
  if (context.now() >= free_at) return null;
  if (source === "manual" || queued_at !== null) return Math.ceil(free_at);
  // Where the area gets another stagger, or none, nobody gives it a place anew.
  const tail = Math.max(free_at, Math.min(wave.tail + wave.gap_ms, context.now() + WITHIN_MS));
  saveWave(context, area_id, { ...wave, tail });
  return Math.ceil(tail);
}

/** An ON of the device leaves now, and the next one of its area so much later that each of them leaves in time. */
export function tookTurn(context: EngineContext, device_id: string): void {
  const area_id = staggeredArea(context, device_id);
  if (area_id === null) return;
  const now = context.now();
  const wave = waveOf(context, area_id);
  const waiting = waitingIn(context, area_id).filter((other) => other.device_id !== device_id);
  const isNext = wave !== null && now - wave.left_at <= wave.gap_ms + LATE_MS;
  const began = isNext ? wave.began : now;
  const fits_ms = waiting.map(({ queued_at, due_at }, n) => {
    const since = Math.max(queued_at ?? Math.max(due_at, now), began);
    return (since + WITHIN_MS - now) / (n + 2);
  });
  const places = waiting.filter(({ queued_at }) => queued_at !== null);
  // A longer gap would put those that have a place behind others that came later.
  const most_ms = isNext && places.length > 0 ? wave.gap_ms : Infinity;
  const gap_ms = Math.max(0, Math.min(staggerOf(context, area_id), most_ms, ...fits_ms));
  // More lights have come since the places were given, so the gap is shorter: those that wait move up.
  const last = places.at(-1)?.due_at ?? now;
  const tail = now + places.length * gap_ms;
  const isCloser = last > tail + CLOSER_MS;
  if (isCloser) {
    for (const [n, command] of places.entries())
      saveCommand(context, { ...command, due_at: Math.ceil(now + (n + 1) * gap_ms) });
  }
  saveWave(context, area_id, { began, left_at: now, gap_ms, tail: isCloser ? tail : Math.max(now, last) });
}

/** The device's area, if its ONs leave one after the other. */
function staggeredArea(context: EngineContext, device_id: string): string | null {
  const area_id = plan.device(context.sql, device_id)?.area_id;
  return area_id !== undefined && staggerOf(context, area_id) > 0 ? area_id : null;
}

function staggerOf({ sql }: EngineContext, area_id: string): number {
  return (plan.area(sql, area_id)?.stagger_sec ?? 0) * 1000;
}

/** The ONs of the area that have a place, and behind them those that are due soon, in the order in which they would leave. */
function waitingIn(context: EngineContext, area_id: string): Command[] {
  const soon = context.now() + WITHIN_MS;
  return plan
    .deviceIdsOfArea(context.sql, area_id)
    .map((id) => commandFor(context.sql, id))
    .filter((command) => command !== null)
    .filter(
      ({ action, phase, due_at, queued_at }) =>
        action === "on" && phase === "send" && (queued_at !== null || due_at <= soon),
    )
    .toSorted(
      (a, b) =>
        Number(a.queued_at === null) - Number(b.queued_at === null) ||
        a.due_at - b.due_at ||
        compare(a.device_id, b.device_id),
    );
}

function waveOf({ sql }: EngineContext, area_id: string): Wave | null {
  const kept = meta(sql, keyOf(area_id));
  return kept === null ? null : JSON.parse(kept);
}

function saveWave({ sql }: EngineContext, area_id: string, wave: Wave): void {
  setMeta(sql, keyOf(area_id), JSON.stringify(wave));
}

function keyOf(area_id: string): string {
  return `stagger:${area_id}`;
}
