/**
 * Presses at a place of the window, in a page, as soon as these words are on its screen: before anybody could read them.
 * For `page.evaluate`, with the place in px.
 */
export function pressOnceTold([clientX, clientY, words]: readonly [number, number, string]): void {
  const main = document.getElementById("main");
  const at = { bubbles: true, cancelable: true, clientX, clientY };
  const watch = new MutationObserver(() => {
    if (!main?.textContent?.includes(words)) return;
    watch.disconnect();
    const there = document.elementFromPoint(clientX, clientY);
    there?.dispatchEvent(new PointerEvent("pointerdown", at));
    there?.dispatchEvent(new MouseEvent("click", { ...at, detail: 1 }));
  });
  if (main) watch.observe(main, { childList: true, subtree: true });
}
