/** Which requests a person has caused: in the browser only. Loading the page is the first thing that they did. */
let acted = true;
let ended = false;

const LAST_ACTIVE = "last_active_at";
/** Not the person's, and not to be taken for it: asked around other requests. */
const NOBODYS = /^\/api\/(health|auth\/me)$/;

/** Watches for what a person does, in every tab of this browser. */
export function watchActivity(): void {
  const note = () => {
    acted = true;
    if (Date.now() - lastActiveAt() > 1_000) localStorage.setItem(LAST_ACTIVE, String(Date.now()));
  };
  for (const event of ["pointerdown", "keydown", "input"])
    addEventListener(event, note, { capture: true, passive: true });
  localStorage.setItem(LAST_ACTIVE, String(Date.now()));
}

/** In epoch ms, of whichever tab. */
export function lastActiveAt(): number {
  return Number(localStorage.getItem(LAST_ACTIVE) ?? 0);
}

/** Once the session has timed out nothing is polled any more: the answer would lead away from a half-filled form. */
export function setEnded(value: boolean): void {
  ended = value;
}

/**
 * The headers of a request: one that nobody has pressed or typed for says so, and does not keep the session alive.
 * Throws an AbortError for those once the session has ended.
 */
export function headersFor(url: URL, method: string, given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  const isPersons = method !== "GET" || (acted && !NOBODYS.test(url.pathname));
  if (!NOBODYS.test(url.pathname)) acted = false;
  if (isPersons) return headers;
  if (ended) throw new DOMException("The session has ended", "AbortError");
  headers.set("X-Background", "1");
  return headers;
}
