import type { Answer } from "#app/forms/answer";

/**
 * What the next page says in a toast: a word in a cookie that lives for a minute, so that it survives a redirect and a
 * full page load (decision 26). Only these words can be shown; nobody can make the site say something else.
 */
export const NOTICES = {
  signed_in: { kind: "success", text: "Login successful!" },
  signed_out: { kind: "success", text: "Logged out successfully" },
  expired: { kind: "error", text: "Session expired. Please login again." },
} as const;
export type Notice = keyof typeof NOTICES;

const COOKIE = "notice";
const LEFT = new RegExp(`(?:^|; )${COOKIE}=(\\w+)`);
const GONE = `${COOKIE}=; Path=/; Max-Age=0; SameSite=Lax`;

export function leaveNotice(headers: Headers, notice: Notice): void {
  headers.append("Set-Cookie", `${COOKIE}=${notice}; Path=/; Max-Age=60; SameSite=Lax`);
}

/** In the browser: leaves one for the page itself, unless there is one already. */
export function noticeHere(notice: Notice): void {
  if (!LEFT.test(document.cookie)) document.cookie = `${COOKIE}=${notice}; Path=/; Max-Age=60; SameSite=Lax`;
}

/** In the browser: the notice that was left, once. */
export function takeNotice(): (typeof NOTICES)[Notice] | null {
  const notice = noticeIn(document.cookie);
  if (notice) document.cookie = GONE;
  return notice;
}

/** What a page without script writes where a toast would be. */
export type Telling = Pick<Answer, "ok" | "toast" | "detail">;

const TELLING = "told";

/** An answer for the page that the browser is sent to next; the browser itself cannot write it. */
export function leaveTelling(headers: Headers, { ok, toast, detail }: Telling): void {
  const words = encodeURIComponent(JSON.stringify({ ok, toast, detail }));
  headers.append("Set-Cookie", `${TELLING}=${words}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`);
}

/** What was left for this page, and the headers that forget it. */
export function takeTelling(request: Request): { telling: Telling | null; headers: Headers } {
  const cookies = request.headers.get("Cookie") ?? "";
  const words = new RegExp(`(?:^|; )${TELLING}=([^;]+)`).exec(cookies)?.[1];
  const notice = noticeIn(cookies);
  const headers = new Headers();
  if (words) headers.append("Set-Cookie", `${TELLING}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`);
  if (notice) headers.append("Set-Cookie", GONE);
  const said = notice && { ok: notice.kind === "success", toast: notice.text, detail: null };
  return { telling: words ? parsed(words) : said, headers };
}

function parsed(words: string): Telling | null {
  try {
    const { ok, toast, detail } = JSON.parse(decodeURIComponent(words));
    return { ok: ok === true, toast: String(toast), detail: detail && String(detail) };
  } catch {
    return null;
  }
}

function noticeIn(cookies: string) {
  const word = LEFT.exec(cookies)?.[1];
  return word && isNotice(word) ? NOTICES[word] : null;
}

function isNotice(word: string): word is Notice {
  return Object.hasOwn(NOTICES, word);
}
