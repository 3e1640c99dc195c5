import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { texts } from "#tests/figures/sources";

const STYLES = "app/styles/tailwind.css";
/** Of the kinds whose steps are all written down; a color may follow `text-`, too. */
const KINDS = {
  text: /(?<![\w-])text-(xs|sm|md|base|lg|\d?xl)(?![\w-])/g,
  "font-weight": /(?<![\w-])font-(thin|extralight|light|normal|medium|semibold|bold|extrabold|black)(?![\w-])/g,
  radius: /(?<![\w-])rounded(?:-[trblse]{1,2})?-(xs|sm|md|lg|\d?xl)(?![\w-])/g,
};

test.each(Object.entries(KINDS))("every step of %s that a screen uses is in the scale", (kind, used) => {
  const styles = readFileSync(STYLES, "utf8");
  const steps = new Set([...styles.matchAll(new RegExp(`^ {2}--${kind}-(\\w+): `, "gm"))].map(([, step]) => step));
  const screens = texts().filter(({ path }) => /^app\/.*\.(tsx?|css)$/.test(path));
  const strays = screens.flatMap(({ path, text }) =>
    [...text.matchAll(used)].filter(([, step]) => !steps.has(step)).map(([all]) => `${path}: ${all}`),
  );
  expect(steps.size).toBeGreaterThan(2);
  expect(strays).toEqual([]);
});
