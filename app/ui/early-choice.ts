/**
 * A select's ref. What was chosen before the script came is told again once it has come: React replays only clicks, and the
 * select would show a choice that the screen around it does not follow.
 */
export function tellEarlyChoice(select: HTMLSelectElement | null) {
  // Only the server's HTML says what it had selected. React has yet to finish what the select stands in.
  if (select?.querySelector("[selected]:not(:checked)"))
    queueMicrotask(() => select.dispatchEvent(new Event("change", { bubbles: true })));
}
