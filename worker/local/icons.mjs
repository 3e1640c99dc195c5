// `npm run icons`: draws app/ui/icons.svg, one symbol for each icon that app/ui/icons.tsx names, from lucide's pictures.
import { readFile, writeFile } from "node:fs/promises";
import * as lucide from "lucide-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { isCommand } from "./command.mjs";

const SPRITE = "app/ui/icons.svg";

if (isCommand(import.meta.url)) await writeFile(SPRITE, await drawnSprite());

/** What the sprite's file should hold. Throws for a name that lucide does not know. */
export async function drawnSprite() {
  const named = (await readFile("app/ui/icons.tsx", "utf8")).matchAll(
    /^export const (\w+) = icon\("([a-z0-9-]+)"\);$/gm,
  );
  const symbols = [...named].map(([, name, id]) => `<symbol id="${id}" viewBox="0 0 24 24">${shapesOf(name)}</symbol>`);
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`;
}

function shapesOf(name) {
  const drawn = renderToStaticMarkup(createElement(Reflect.get(lucide, name)));
  return drawn
    .replace(/^<svg[^>]*>/, "")
    .replace(/<\/svg>$/, "")
    .replaceAll(/><\/\w+>/g, "/>");
}
