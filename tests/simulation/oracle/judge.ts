import type { Book, Memory } from "./book";
import { claimsOf, type Claim } from "./claims";
import type { City } from "./city";
import { isDark, isPermitted, rulesOf } from "./limits";

const MINUTE = 60_000;

export type Judged = Omit<Memory, "lit_since"> & Pick<Book, "want" | "key">;

/**
 * The desired state, first match wins; answers what has to be remembered. Of the past, only what was planned by then
 * counts.
 */
export function judge(remembered: Memory & { id: string }, city: City, now: number, isPast = false): Judged {
  const book = city.isServed ? remembered : withoutToggles(remembered);
  const { lit_since, off_at, cut_at } = book;
  const isLit = lit_since !== null;
  const dark = isDark(city, book.id, now, isPast);
  const claims = claimsOf(city, book.id, now, isPast).filter(
    ({ begins }) => begins > Math.max(off_at ?? -Infinity, cut_at ?? -Infinity),
  );
  const isHeld = book.hold !== null && book.hold.until > now && !(dark && book.hold.action === "on");
  const left: Omit<Memory, "lit_since"> = {
    off_at,
    cut_at,
    on_at: dark || claims.length > 0 ? null : book.on_at,
    hold: isHeld ? book.hold : null,
    emergency: (book.emergency?.until ?? now) > now ? book.emergency : null,
    lit_by: book.lit_by,
  };
  const ours: Omit<Memory, "lit_since"> = { ...left, lit_by: "us" };

  if (left.emergency) return { ...ours, want: "on", key: "on emergency" };
  if (dark) return isLit ? { ...ours, want: "off", key: "off guardrail" } : { ...ours, want: "none", key: "none" };
  if (left.hold?.action === "off")
    return isLit ? { ...ours, want: "off", key: "off hold" } : { ...ours, want: "none", key: "none" };
  if (isUsedUp({ ...left, lit_since }, city, book.id, claims, now) && !isPermitted(city, book.id, now, isPast)) {
    const ended = { ...ours, hold: null, on_at: null };
    return isLit ? { ...ended, cut_at: now, want: "off", key: "off pending" } : untoggled(ended, isLit);
  }
  if (claims.length > 0) return { ...ours, want: "on", key: keyOf(claims) };
  if (left.hold) return { ...ours, want: "on", key: "on hold" };
  if (left.on_at !== null) return { ...ours, want: "on", key: "on manual" };
  return untoggled(left, isLit);
}

/** In an organization that is inactive nothing that a person toggled keeps a light on, nor does it when that is active again. */
function withoutToggles<T extends Memory>(book: T): T {
  return { ...book, on_at: null, emergency: null, hold: book.hold?.action === "on" ? null : book.hold };
}

function keyOf(claims: Claim[]): string {
  const names = claims.map(({ plan, start }) => `${plan}@${start}`);
  return `on ${names.toSorted().join(" ")}`;
}

/** Nobody wants it on: what we lit goes off, what a hand lit is left alone. */
function untoggled(left: Omit<Memory, "lit_since">, isLit: boolean): Judged {
  if (!isLit) return { ...left, want: "none", key: "none" };
  if (left.lit_by === "us") return { ...left, want: "off", key: "off pending" };
  return { ...left, want: "none", key: "none external" };
}

/** Whether what keeps it on has done so for the longest time. */
function isUsedUp(
  { on_at, hold, lit_since, lit_by }: Memory,
  city: City,
  device_id: string,
  claims: Claim[],
  now: number,
): boolean {
  const max = longestOn(city, device_id, claims.length > 0 || hold?.action === "on");
  // A person's ON without an end is over also where no lamp has taken it.
  if (on_at !== null) return now >= Math.min(on_at, lit_since ?? on_at) + max;
  const isKept = claims.length > 0 || hold?.action === "on" || lit_by === "external";
  if (lit_since === null || !isKept) return false;
  return now >= Math.max(lit_since, ...claims.map(({ begins }) => begins)) + max;
}

/** Without a limit what has an end burns to its end; what has none takes the organization's. */
function longestOn(city: City, device_id: string, hasEnd: boolean): number {
  const own = rulesOf(city, device_id).MAX_ON_DURATION_MIN;
  if (own === 0) return hasEnd ? Infinity : city.rules.MAX_ON_DURATION_MIN * MINUTE;
  return own * MINUTE;
}
