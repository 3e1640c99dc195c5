/**
 * What a row's JSON says; null where it is none, or lacks one of `needs`: a fault of ours, or of another release. Whoever
 * reads it goes on without the row.
 */
export function bodyWith<Body extends object>(text: string, needs: readonly (keyof Body & string)[]): Body | null {
  const body = readable((): unknown => JSON.parse(text));
  return isBody(body, needs) ? body : null;
}

/** What is read of rows; null where one of them cannot be, and whoever asks goes on without. */
export function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function isBody<Body extends object>(body: unknown, needs: readonly (keyof Body & string)[]): body is Body {
  return typeof body === "object" && body !== null && needs.every((name) => name in body);
}
