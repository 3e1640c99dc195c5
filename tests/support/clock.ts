/**
 * The clock that a run of the tests is told to have: TEST_CLOCK is an instant (ISO 8601) at which it begins, ahead of the
 * real one, since a browser drops a cookie that has expired by its own clock. vitest.config.ts makes the offset of it, once.
 */
export const OFFSET_MS = Number(process.env["TEST_CLOCK_OFFSET_MS"] ?? 0);

/**
 * Makes Date run so many ms ahead, for good. Its own text is also what the worker and the pages of a test are given, so it
 * uses nothing from outside.
 */
export function shiftDate(offset_ms: number): void {
  const Real = globalThis.Date;
  if (offset_ms === 0 || Reflect.get(Real, "isShifted")) return;
  const now = () => Real.now() + offset_ms;
  const Shifted = new Proxy(Real, {
    construct: (_, given, target) => Reflect.construct(Real, given.length === 0 ? [now()] : given, target),
    apply: () => new Real(now()).toString(),
    get: (_, key) => (key === "now" ? now : key === "isShifted" ? true : Reflect.get(Real, key)),
  });
  Object.defineProperty(Real.prototype, "constructor", { value: Shifted, writable: true, configurable: true });
  globalThis.Date = Shifted;
}

/** SQLite's 'now' in the same time. */
export function shiftSql(query: string, offset_ms = OFFSET_MS): string {
  return offset_ms === 0 ? query : query.replaceAll("'now'", `'now', '+${offset_ms / 1000} seconds'`);
}
