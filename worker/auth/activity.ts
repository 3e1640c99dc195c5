/** The page's script sets this header on requests that no person caused, such as polls. */
const BACKGROUND_HEADER = "X-Background";

/** Whether a person caused the request; only such requests keep a session from timing out. */
export function isPersons(request: Request): boolean {
  return !request.headers.has(BACKGROUND_HEADER);
}
