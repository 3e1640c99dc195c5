/**
 * What a row's JSON says; null where it is none, or lacks one of `needs`: a fault of ours, or of another release. Whoever
 * reads it goes on without the row.
 */
export function bodyWith<Body extends object>(text: string, needs: readonly (keyof Body & string)[]): Body | null {
  try {
    const body: unknown = JSON.parse(text);
    return isBody(body, needs) ? body : null;
  } catch {
    return null;
  }
}

function isBody<Body extends object>(body: unknown, needs: readonly (keyof Body & string)[]): body is Body {
  return typeof body === "object" && body !== null && needs.every((name) => name in body);
}
