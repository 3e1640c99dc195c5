/**
 * A test run can have a clock of its own: TEST_CLOCK is the instant (ISO 8601) at which it begins. It must be ahead of the
 * real clock, since a browser drops cookies that expired by its own. vitest.config.ts computes the offset, once.
 */
export const OFFSET_MS = Number(process.env["TEST_CLOCK_OFFSET_MS"] ?? 0);

/**
 * Moves Date ahead by `offset` ms, for good. The source of this function is also injected into the worker and the pages,
 * so it uses nothing from outside.
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

/** The SQL with SQLite's 'now' moved by the same offset. */
export function shiftSql(query: string, offset_ms = OFFSET_MS): string {
  return offset_ms === 0 ? query : query.replaceAll("'now'", `'now', '+${offset_ms / 1000} seconds'`);
}
