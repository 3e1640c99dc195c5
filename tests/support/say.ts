// The files of a runtime share its console, and so what the first of them made of it (said.ts).
const kept: typeof globalThis & { firstLog?: Console["log"] } = globalThis;

/** Prints a line of a test's own at once, also where the test does not fail. */
export const say = (kept.firstLog ??= console.log);
