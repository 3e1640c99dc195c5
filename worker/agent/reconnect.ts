import { AGENT_CLOSE } from "#domain/agent/frames";

/** Why there is no line. */
export type Cut =
  /** The socket closed, with its code. */
  | { kind: "closed"; code: number }
  /** The city answered the first request with this HTTP status, and maybe with how long to wait. */
  | { kind: "refused"; status: number; retry_after_ms: number | null }
  /** Nobody answered. */
  | { kind: "failed" };

const SEC = 1000;
const MIN = 60 * SEC;
/** Trying again at once is of use after most cuts: a deployment of the city's closes every socket. */
const SOON = { first_ms: 5 * SEC, most_ms: MIN };
/** Somebody must do something first. */
const LATER = { first_ms: 2 * MIN, most_ms: 15 * MIN };
const NOT_SOON = new Set<number>([AGENT_CLOSE.revoked, AGENT_CLOSE.replaced, AGENT_CLOSE.protocol]);

/**
 * How long to wait before the next try, in ms; `failures` is how many have failed since the line last held. By chance, so
 * that a hundred parks don't come back in the same second.
 */
export function waitAfter(cut: Cut, failures: number, random: () => number): number {
  const { first_ms, most_ms } = isSoon(cut) ? SOON : LATER;
  const most = Math.min(most_ms, first_ms * 2 ** Math.min(failures, 10));
  const wait_ms = isSoon(cut) ? random() * most : (0.5 + random() / 2) * most;
  const asked_ms = cut.kind === "refused" ? Math.min(cut.retry_after_ms ?? 0, LATER.most_ms) : 0;
  return Math.max(wait_ms, asked_ms);
}

function isSoon(cut: Cut): boolean {
  if (cut.kind === "closed") return !NOT_SOON.has(cut.code);
  return cut.kind === "failed" || cut.status === 429 || cut.status >= 500;
}

/** What the journal says of a cut, and what to do about it where somebody must. */
export function explain(cut: Cut): string {
  if (cut.kind === "failed") return "the city can't be reached";
  if (cut.kind === "refused") {
    if (cut.status === 401 || cut.status === 403)
      return "the city doesn't accept the secret: it was replaced or revoked in Settings. Install again with the new one";
    if (cut.status === 404) return "that address is not Lamplighter's, or an older one without agents";
    return `the city answered ${cut.status}`;
  }
  return CLOSED[cut.code] ?? `the line closed (${cut.code})`;
}

const CLOSED: Record<number, string> = {
  [AGENT_CLOSE.revoked]: "the secret was replaced or revoked in Settings. Install again with the new one",
  [AGENT_CLOSE.replaced]: "another computer connected with this agent's secret. Each park needs an agent of its own",
  [AGENT_CLOSE.protocol]:
    "this program and the city don't understand each other. Download agent.mjs again and install it",
  [AGENT_CLOSE.silent]: "the city heard nothing for over a minute",
  [AGENT_CLOSE.too_many]: "the city got too many frames at once",
};
