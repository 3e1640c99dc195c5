/** Work of which one run is under way, and one more waits for it. */
export type OneMore = { running: Promise<void> | null; next: Promise<void> | null };

/** No run is under way. */
export function idle(): OneMore {
  return { running: null, next: null };
}

/**
 * Runs the work now, or, where a run is under way, once more after it: that one began too early to see what the caller
 * has just changed. However many ask meanwhile, they share the one more.
 */
export function runOneMore(state: OneMore, work: () => Promise<void>): Promise<void> {
  // Also in the moment in which the run has ended and the one more has not begun yet.
  if (state.next !== null) return state.next;
  if (state.running === null) return begin(state, work);
  state.next = state.running.catch(() => undefined).then(() => begin(state, work));
  return state.next;
}

function begin(state: OneMore, work: () => Promise<void>): Promise<void> {
  state.next = null;
  const run = work().finally(() => {
    if (state.running === run) state.running = null;
  });
  state.running = run;
  return run;
}
