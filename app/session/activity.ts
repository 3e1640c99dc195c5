/** A person's activity in any tab of this browser keeps the session alive; the page's own requests do not. */
const LAST_ACTIVE = "last_active_at";
const NOTED_EVERY_MS = 1_000;
/** Requests this soon after an action count as caused by the person. */
const NOBODYS = /^\/api\/(alive|auth\/me)$/;

/** Loading the page is the first activity. */
let acted = true;
let limit_ms = Infinity;
let ended = false;

/** Records clicks, typing and scrolling, and marks requests that no person caused for the server. */
export function watchActivity(): void {
  localStorage.setItem(LAST_ACTIVE, String(Date.now()));
  for (const event of ["pointerdown", "keydown", "input", "wheel"]) {
    addEventListener(event, noteActivity, { capture: true, passive: true });
  }
  const send = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const request = input instanceof Request ? input : null;
    const url = new URL(request?.url ?? String(input), location.href);
    // The host of the map's tiles would have to allow the header, and keeps no session alive.
    if (url.origin !== location.origin) return send(input, init);
    if (isPersons(url, init?.method ?? request?.method ?? "GET")) return send(input, init);
    const headers = new Headers(init?.headers ?? request?.headers);
    headers.set("X-Background", "1");
    return send(input, { ...init, headers });
  };
}

/**
 * Ignores activity after the timeout, such as the key that wakes a sleeping laptop. The last one is in the future where the
 * device's clock was set back.
 */
export function noteActivity(): void {
  acted = true;
  if (Math.abs(idleMs()) >= NOTED_EVERY_MS && !hasTimedOut()) localStorage.setItem(LAST_ACTIVE, String(Date.now()));
}

/** The time since the last activity, in ms. */
export function idleMs(): number {
  return Date.now() - Number(localStorage.getItem(LAST_ACTIVE) ?? 0);
}

/** The ms without activity after which the session ends. */
export function setIdleLimit(ms: number): void {
  limit_ms = ms;
}

/** Whether the session ended and nobody has signed in again. */
export function setEnded(value: boolean): void {
  ended = value;
  if (!ended) localStorage.setItem(LAST_ACTIVE, String(Date.now()));
}

/** Whether the session is over. Then nothing polls or loads, since the answer would redirect away from a half-filled form. */
export function hasTimedOut(): boolean {
  return ended || (limit_ms < Infinity && idleMs() >= limit_ms);
}

/** Whether a person caused the request: any write, else the first request after a click or key. */
function isPersons({ pathname }: URL, method: string): boolean {
  if (method.toUpperCase() !== "GET") return true;
  if (NOBODYS.test(pathname)) return false;
  const isFirst = acted;
  acted = false;
  return isFirst;
}
