/** What a person does in this browser, in whichever tab, keeps the session; what the page asks by itself does not. */
const LAST_ACTIVE = "last_active_at";
const NOTED_EVERY_MS = 1_000;
/** Asked around what a person has caused. */
const NOBODYS = /^\/api\/(health|auth\/me)$/;

/** Loading the page is the first thing that the person did. */
let acted = true;
let limit_ms = Infinity;
let ended = false;

/** Notes what is pressed, typed and scrolled, and marks the requests that nobody has caused, as the server expects it. */
export function watchActivity(): void {
  localStorage.setItem(LAST_ACTIVE, String(Date.now()));
  for (const event of ["pointerdown", "keydown", "input", "wheel"]) {
    addEventListener(event, noteActivity, { capture: true, passive: true });
  }
  const send = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const request = input instanceof Request ? input : null;
    const url = new URL(request?.url ?? String(input), location.href);
    if (isPersons(url, init?.method ?? request?.method ?? "GET")) return send(input, init);
    const headers = new Headers(init?.headers ?? request?.headers);
    headers.set("X-Background", "1");
    return send(input, { ...init, headers });
  };
}

/** What comes too late does not count: a laptop that was asleep wakes with the press of a key. */
export function noteActivity(): void {
  acted = true;
  if (idleMs() >= NOTED_EVERY_MS && !hasTimedOut()) localStorage.setItem(LAST_ACTIVE, String(Date.now()));
}

/** How long nobody has done anything, in ms. */
export function idleMs(): number {
  return Date.now() - Number(localStorage.getItem(LAST_ACTIVE) ?? 0);
}

/** After how many ms without activity the session ends. */
export function setIdleLimit(ms: number): void {
  limit_ms = ms;
}

/** Whether it has ended, and nobody has signed in again. */
export function setEnded(value: boolean): void {
  ended = value;
  if (!ended) localStorage.setItem(LAST_ACTIVE, String(Date.now()));
}

/** Whether the session is over. Then nothing is polled or loaded: the answer would lead away from a form that is half filled in. */
export function hasTimedOut(): boolean {
  return ended || (limit_ms < Infinity && idleMs() >= limit_ms);
}

/** Whatever changes something; else the first request after something was pressed or typed. */
function isPersons({ pathname }: URL, method: string): boolean {
  if (method.toUpperCase() !== "GET") return true;
  if (NOBODYS.test(pathname)) return false;
  const isFirst = acted;
  acted = false;
  return isFirst;
}
