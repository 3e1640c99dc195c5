import type { ToAgent } from "./frames";

type Part = Extract<ToAgent, { type: "plan" }>;

/** In JSON a character takes at most six bytes, so that a part is always below the limit of a frame. */
const PART_CHARS = 10_000;

/** A signed plan as frames, each below the limit of a frame; joined in their order they are the signed text again. */
export function partsOf({ rev, body, sig }: Pick<Part, "rev" | "body" | "sig">): Part[] {
  const of = Math.max(1, Math.ceil(body.length / PART_CHARS));
  return Array.from({ length: of }, (_, n) => ({
    type: "plan" as const,
    rev,
    n: n + 1,
    of,
    body: body.slice(n * PART_CHARS, (n + 1) * PART_CHARS),
    sig,
  }));
}

/** The parts of one plan that have come so far. */
export type Parts = { rev: number; of: number; sig: string; bodies: string[] };

/**
 * Adds a part to those before it. They come in order, so one that is out of order begins anew or is dropped: `parts` is
 * null then. `whole` is the signed text once it is complete.
 */
export function joinPart(
  before: Parts | null,
  { rev, n, of, body, sig }: Part,
): { parts: Parts | null; whole: { rev: number; body: string; sig: string } | null } {
  const isNext = before?.rev === rev && before.of === of && before.sig === sig && before.bodies.length === n - 1;
  if (!isNext && n !== 1) return { parts: null, whole: null };
  const bodies = n === 1 ? [body] : [...(before?.bodies ?? []), body];
  if (n < of) return { parts: { rev, of, sig, bodies }, whole: null };
  return { parts: null, whole: { rev, body: bodies.join(""), sig } };
}
