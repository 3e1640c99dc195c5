/**
 * How many random cases a property takes: `count` in UTC. In the other host zones a fifth of them is enough to find whether
 * the host's zone matters.
 */
export function runsHere(count: number): number {
  return process.env["TZ"] === "UTC" ? count : Math.ceil(count / 5);
}
