/**
 * Writes a cookie in the browser as the server does: over https its name has the __Host- prefix.
 */
export function writeCookie(cookie: string): void {
  document.cookie = location.protocol === "https:" ? `__Host-${cookie}; Secure` : cookie;
}
