/** Set by the page's script on what it asks for by itself: polls, and whatever nobody has pressed or typed for. */
export const BACKGROUND_HEADER = "X-Background";

/** Whether a person has caused the request: only that keeps a session from timing out. */
export function isPersons(request: Request): boolean {
  return !request.headers.has(BACKGROUND_HEADER);
}
