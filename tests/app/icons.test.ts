import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { drawnSprite } from "../../worker/local/icons.mjs";

test("the sprite holds exactly the icons that the screens name, as `npm run icons` draws them", async () => {
  expect(await readFile("app/ui/icons.svg", "utf8")).toBe(await drawnSprite());
});
