import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test.each(["emerald-soft", "emerald-text"])(
  "%s is emerald in light and dark, neither teal nor green",
  async (token) => {
    const css = await readFile("app/styles/tailwind.css", "utf8");
    const [, light = "", dark = ""] = new RegExp(`--${token}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? [];
    for (const color of [light, dark]) {
      expect(hueOf(color)).toBeGreaterThanOrEqual(148);
      expect(hueOf(color)).toBeLessThanOrEqual(166);
    }
  },
);

/** The hue in degrees: red is 0, green 120, emerald about 158, teal 173. */
function hueOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  // Green is the largest channel of an emerald.
  return most === green ? 60 * (2 + (blue - red) / (most - least)) : NaN;
}
