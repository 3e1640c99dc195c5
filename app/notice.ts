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

export function leaveNotice(headers: Headers, notice: Notice): void {
  headers.append("Set-Cookie", `${COOKIE}=${notice}; Path=/; Max-Age=60; SameSite=Lax`);
}

/** In the browser: leaves one for the page itself, unless there is one already. */
export function noticeHere(notice: Notice): void {
  if (!LEFT.test(document.cookie)) document.cookie = `${COOKIE}=${notice}; Path=/; Max-Age=60; SameSite=Lax`;
}

/** In the browser: the notice that was left, once. */
export function takeNotice(): (typeof NOTICES)[Notice] | null {
  const word = LEFT.exec(document.cookie)?.[1];
  if (!word) return null;
  document.cookie = `${COOKIE}=; Path=/; Max-Age=0; SameSite=Lax`;
  return isNotice(word) ? NOTICES[word] : null;
}

function isNotice(word: string): word is Notice {
  return Object.hasOwn(NOTICES, word);
}
