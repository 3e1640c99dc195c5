const KEPT = 4;

let began = 0;
let steps: string[] = [];

/** Notes what a test of a screen does next, for when it fails. */
export function step(what: string): void {
  steps = [...steps.slice(1 - KEPT), `${what} (after ${Math.round((performance.now() - began) / 1_000)} s)`];
}

export function lastSteps(): string[] {
  return steps;
}

/** Another test begins. */
export function forgetSteps(): void {
  began = performance.now();
  steps = [];
}
