import { writeCookie } from "#app/session/browser-cookie";
import { SESSION_EXPIRED } from "#domain/organization/session-expired";

/**
 * The next page's toast: a keyword in a one-minute cookie, so that it survives a redirect and a full page load. Only these
 * keywords are shown, so that nobody can make the site show another text. That a session has ended is the weaker word: a call
 * that was on its way while somebody signed out says so as well, and later.
 */
export const FLASHES = {
  signed_in: { kind: "success", text: "Login successful!" },
  signed_out: { kind: "success", text: "Logged out successfully" },
  expired: { kind: "error", text: SESSION_EXPIRED },
} as const;
export type FlashKey = keyof typeof FLASHES;

const COOKIES = ["flash", "weak_flash"] as const;
const GONE = COOKIES.map((cookie) => `${cookie}=; Path=/; Max-Age=0; SameSite=Lax`);

export function setFlash(headers: Headers, key: FlashKey): void {
  headers.append("Set-Cookie", cookieOf(key));
}

/** In the browser: sets a flash, unless there is one. */
export function setFlashInBrowser(key: FlashKey): void {
  if (!flashIn(document.cookie)) writeCookie(cookieOf(key));
}

function cookieOf(key: FlashKey): string {
  return `${key === "expired" ? "weak_flash" : "flash"}=${key}; Path=/; Max-Age=60; SameSite=Lax`;
}

/** In the browser: takes the flash, once. */
export function takeFlashInBrowser(): (typeof FLASHES)[FlashKey] | null {
  const flash = flashIn(document.cookie);
  if (flash) GONE.forEach(writeCookie);
  return flash;
}

/** A toast and an optional second line; a page without script shows them as text. */
export type Flash = { ok: boolean; toast: string; detail: string | null };

const NO_SCRIPT_COOKIE = "no_script_flash";

/** Of a cookie's name and value a browser keeps 4,096 bytes, and drops one that is longer, with all that was to be told. */
const [MOST_OF_TOAST, MOST_OF_DETAIL] = [1_200, 2_600];

/** A flash with the answer's text for the page after a redirect; only the server can set it. Cuts a text that is too long. */
export function setNoScriptFlash(headers: Headers, { ok, toast, detail }: Flash): void {
  const words = encoded({ ok, toast: cut(toast, MOST_OF_TOAST), detail: detail && cut(detail, MOST_OF_DETAIL) });
  headers.append("Set-Cookie", `${NO_SCRIPT_COOKIE}=${words}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`);
}

function encoded(told: Flash | string): string {
  return encodeURIComponent(JSON.stringify(told));
}

/** As much of a text as takes so many bytes. */
function cut(text: string, most: number): string {
  const characters = [...text];
  let shown = text;
  while (encoded(shown).length > most) {
    characters.length = Math.floor(characters.length * 0.9);
    shown = `${characters.join("")}…`;
  }
  return shown;
}

/** This page's flash, and the headers that clear it. */
export function takeNoScriptFlash(request: Request): { flash: Flash | null; headers: Headers } {
  const cookies = request.headers.get("Cookie") ?? "";
  const words = new RegExp(`(?:^|; )${NO_SCRIPT_COOKIE}=([^;]+)`).exec(cookies)?.[1];
  const key = flashIn(cookies);
  const headers = new Headers();
  if (words) headers.append("Set-Cookie", `${NO_SCRIPT_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`);
  if (key) for (const gone of GONE) headers.append("Set-Cookie", gone);
  const keyed = key && { ok: key.kind === "success", toast: key.text, detail: null };
  return { flash: words ? parsed(words) : keyed, headers };
}

function parsed(words: string): Flash | null {
  try {
    const { ok, toast, detail } = JSON.parse(decodeURIComponent(words));
    return { ok: ok === true, toast: String(toast), detail: detail && String(detail) };
  } catch {
    return null;
  }
}

function flashIn(cookies: string) {
  const words = COOKIES.map((cookie) => new RegExp(`(?:^|; )(?:__Host-)?${cookie}=(\\w+)`).exec(cookies)?.[1] ?? "");
  const word = words.find(isFlashKey);
  return word === undefined ? null : FLASHES[word];
}

function isFlashKey(word: string): word is FlashKey {
  return Object.hasOwn(FLASHES, word);
}
