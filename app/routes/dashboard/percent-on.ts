/** How many of `all` are on, in percent; 0 and 100 only where it is none and all of them. */
export function percentOn(on: number, all: number): number {
  if (on === 0) return 0;
  return on === all ? 100 : Math.min(Math.max(Math.round((on / all) * 100), 1), 99);
}
