import type { EngineContext } from "./context";

/**
 * What a row's JSON says; null where it is none, or lacks one of `needs`: a fault of ours, or of another release. Whoever
 * reads it goes on without the row.
 */
export function bodyWith<Body extends object>(text: string, needs: readonly (keyof Body & string)[]): Body | null {
  const body = readable((): unknown => JSON.parse(text));
  return isBody(body, needs) ? body : null;
}

/** What is read of one light, for a list of many; null, with a line in the log, where that cannot be. */
export function readableLight<T>({ log }: Pick<EngineContext, "log">, device_id: string, read: () => T): T | null {
  return readable(read, (error) =>
    log({ level: "error", event: "light.unreadable", device_id, reason: String(error) }),
  );
}

/** What is read of rows; null where one of them cannot be, and whoever asks goes on without. `failed` is told why. */
export function readable<T>(read: () => T, failed: (error: unknown) => void = () => undefined): T | null {
  try {
    return read();
  } catch (error) {
    failed(error);
    return null;
  }
}

function isBody<Body extends object>(body: unknown, needs: readonly (keyof Body & string)[]): body is Body {
  return typeof body === "object" && body !== null && needs.every((name) => name in body);
}
