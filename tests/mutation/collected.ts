/** Stands in for vitest in the tests that the loop runs: the same words, but a test waits until it is asked for. */
export * from "vitest";

type Body = (...row: unknown[]) => unknown;
type Options = Record<string, unknown>;
export type Collected = {
  tests: { name: string; body: () => unknown }[];
  before: (() => unknown)[];
  after: (() => unknown)[];
};

declare global {
  var collected: Collected;
}

export const test = Object.assign(collect, {
  each: (table: readonly unknown[]) => (name: string, optionsOrBody: Options | Body, maybeBody?: Body) => {
    const body = typeof optionsOrBody === "function" ? optionsOrBody : maybeBody;
    table.forEach((row, i) => collect(`${name} #${i}`, () => body?.(...(Array.isArray(row) ? row : [row]))));
  },
});

/** Only a heading here: what it would set up for its own tests alone is set up for all of the file. */
export const describe = (_heading: string, body: () => void) => body();

export const beforeEach = (body: () => unknown) => globalThis.collected.before.push(body);
export const afterEach = (body: () => unknown) => globalThis.collected.after.push(body);
/** Each test runs by itself, on a database without rows. */
export const beforeAll = (body: () => unknown) => beforeEach(body);
export const afterAll = (body: () => unknown) => afterEach(body);

function collect(name: string, optionsOrBody: Options | Body, maybeBody?: Body): void {
  const body = typeof optionsOrBody === "function" ? optionsOrBody : maybeBody;
  if (body) globalThis.collected.tests.push({ name, body: () => body() });
}
