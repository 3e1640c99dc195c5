import { hasTimedOut } from "#app/session/activity";
import type { Concern } from "./concerns";

/**
 * How long one waits to load, and at least so long after the last load. Where many browsers listen, that is so many times
 * the spread: two hundred of them load no more in a storm than if they polled.
 */
const PAUSES_MS = {
  lists: { first: 0, between: 3_000, crowd: 5 },
  counts: { first: 0, between: 5_000, crowd: 20 },
  states: { first: 2_000, between: 10_000, crowd: 20 },
} as const satisfies Record<Concern, { first: number; between: number; crowd: number }>;
/** Adds up to half of a pause, so that a city's browsers do not stay in step. */
const JITTER = 0.5;
/** What cannot be loaded now is tried again. */
const LATER_MS = 1_000;
/** So long after a load it is asked whether it came: at first, and, after more and more in vain, at most. */
const CAME_WITHIN_MS = { first: 10_000, most: 5 * 60_000 };

type Reloads = {
  /** Loads soon: within `spread_ms`, and not too soon after the last load. */
  ask: (concern: Concern, spread_ms: number) => void;
  stop: () => void;
};

/**
 * Loads the screen's lists again when they have changed, now and then at most; a hidden tab when it is seen again. A load
 * that did not come is asked for again: a dialog that opens cuts it off, and nothing else would ask before the next
 * change. `loadedAt` is when the lists last came (epoch ms), null where the screen has none.
 */
export function reloads(reload: () => void, isBusy: () => boolean, loadedAt: () => number | null): Reloads {
  let due_at = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  let check: ReturnType<typeof setTimeout> | undefined;
  let in_vain = 0;

  function ask(concern: Concern, spread_ms: number): void {
    const { first, between, crowd } = PAUSES_MS[concern];
    const soonest = Date.now() + first + spread_ms * Math.random();
    // The device's clock may have been set back since.
    const after = Math.min(last, Date.now());
    const at = Math.max(soonest, after + Math.max(between, crowd * spread_ms) * (1 + JITTER * Math.random()));
    if (at >= due_at) return;
    due_at = at;
    serveIn(at - Date.now());
  }

  function serveIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(serve, ms);
  }

  function serve(): void {
    if (isBusy()) last = Date.now();
    if (document.hidden || isBusy() || hasTimedOut()) return serveIn(LATER_MS);
    due_at = Infinity;
    last = Date.now();
    reload();
    clearTimeout(check);
    check = setTimeout(askAgain, Math.min(CAME_WITHIN_MS.first * 2 ** in_vain, CAME_WITHIN_MS.most), last);
  }

  function askAgain(asked_at: number): void {
    const isCome = (loadedAt() ?? Infinity) >= asked_at;
    in_vain = isCome ? 0 : in_vain + 1;
    if (!isCome) serve();
  }

  const onSeen = () => {
    if (due_at <= Date.now()) serve();
  };
  document.addEventListener("visibilitychange", onSeen);
  return {
    ask,
    stop: () => {
      clearTimeout(timer);
      clearTimeout(check);
      document.removeEventListener("visibilitychange", onSeen);
    },
  };
}
