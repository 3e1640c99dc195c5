import type { Colors, Token } from "./marks";

/** The tokens' colors as they are now; a token itself is a pair, of which the browser shows one. */
export function colorsOf(element: HTMLElement): Colors {
  const probe = document.createElement("i");
  // For less motion the stylesheet gives everything a duration; each color would be read at the start of its transition.
  probe.style.setProperty("transition", "none", "important");
  // Else each would be the system's one color for text, and all of the map of that color.
  probe.style.setProperty("forced-color-adjust", "none");
  element.appendChild(probe);
  const read = (token: Token) => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const colors: Colors = {
    canvas: read("canvas"),
    surface: read("surface"),
    line: read("line"),
    "line-strong": read("line-strong"),
    ink: read("ink"),
    "ink-soft": read("ink-soft"),
    "ink-faint": read("ink-faint"),
    lit: read("lit"),
    "lit-mark": read("lit-mark"),
    "lit-ink": read("lit-ink"),
    bad: read("bad"),
    "bad-ink": read("bad-ink"),
    "bad-text": read("bad-text"),
    focus: read("focus"),
    "map-land": read("map-land"),
    "map-park": read("map-park"),
    "map-water": read("map-water"),
    "map-road": read("map-road"),
    "map-building": read("map-building"),
  };
  probe.remove();
  return colors;
}

/** Calls `changed` when the system or the person chooses another theme. Returns a function that ends that. */
export function onTheme(changed: () => void): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  dark.addEventListener("change", changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    dark.removeEventListener("change", changed);
    chosen.disconnect();
  };
}
