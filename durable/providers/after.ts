/** Calls `then` after `ms` of the platform's clock; answers how to call it off. */
export function after(ms: number, then: () => void): () => void {
  const timeout = setTimeout(then, ms);
  return () => clearTimeout(timeout);
}
