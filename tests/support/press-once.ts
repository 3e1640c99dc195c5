/**
 * Presses at a place of the window, in a page, as soon as these words are on its screen: before anybody could read them. A
 * hand that trembles moves a pixel at that moment, and presses after it. For `page.evaluate`, with the place in px.
 */
export function pressOnceTold([clientX, clientY, words, hand]: readonly [
  number,
  number,
  string,
  ("rests" | "trembles")?,
]): void {
  const main = document.getElementById("main");
  const at = { bubbles: true, cancelable: true, clientX, clientY };
  const there = () => document.elementFromPoint(clientX, clientY);
  const press = () => {
    there()?.dispatchEvent(new PointerEvent("pointerdown", at));
    there()?.dispatchEvent(new MouseEvent("click", { ...at, detail: 1 }));
  };
  const watch = new MutationObserver(() => {
    if (!main?.textContent?.includes(words)) return;
    watch.disconnect();
    if (hand !== "trembles") return press();
    there()?.dispatchEvent(new PointerEvent("pointermove", { ...at, clientX: clientX + 1 }));
    requestAnimationFrame(() => requestAnimationFrame(press));
  });
  if (main) watch.observe(main, { childList: true, subtree: true });
}
