/**
 * Writes a cookie in the browser as the server would: over https its name has the prefix that no other host and no
 * plain-http page can set.
 */
export function writeCookie(cookie: string): void {
  document.cookie = location.protocol === "https:" ? `__Host-${cookie}; Secure` : cookie;
}
