/** Whether it has a choice that was made before the script came: only the server's HTML says what it had selected. */
export function hasEarlyChoice(select: Pick<HTMLElement, "querySelector">): boolean {
  return select.querySelector("[selected]:not(:checked)") !== null;
}

/**
 * A select's ref. What was chosen before the script came is told again once it has come: React replays only clicks, and the
 * select would show a choice that the screen around it does not follow.
 */
export function tellEarlyChoice(select: HTMLSelectElement | null) {
  // React has yet to finish what the select stands in.
  if (select && hasEarlyChoice(select))
    queueMicrotask(() => select.dispatchEvent(new Event("change", { bubbles: true })));
}
