import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aBrowser, leave } from "#tests/support/chromium";
import { aServer, type Server } from "#tests/support/server";
import { aPlace, signedInAs, withoutNight } from "#tests/support/staff";
import { arrived, visitAs } from "#tests/support/visit";

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aBrowser()]);
});
afterAll(async () => {
  await leave(browser);
  await server?.stop();
});

test("who presses once more where a light was switches no other that has come there", async () => {
  const staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  const [, , last] = await aPlace(staff, "Bilberry Park", ["Bilberry lamp 1", "Bilberry lamp 2", "Bilberry lamp 3"]);
  await staff.call("POST", `/devices/${last?.id}/toggle`, { action: "on" });
  await server.query("UPDATE devices SET current_state = 'off' WHERE name IN ('Bilberry lamp 1', 'Bilberry lamp 2')");
  const tab = await visitAs(browser, server, "admin");
  const { page } = tab;
  await tab.go("/devices?q=bilberry&sort=state");
  await page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "List" }).click();
  await page.getByRole("row", { name: /^Bilberry lamp 3/ }).waitFor();
  await arrived(tab, "wayfinding");
  const rows = () => page.getByRole("row", { name: /^Bilberry lamp/ }).allInnerTexts();
  expect((await rows())[0]).toMatch(/^Bilberry lamp 3/);
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().includes("/devices")) posts.push(request.postData() ?? "");
  });
  const off = page.getByRole("button", { name: "Turn off Bilberry lamp 3" });
  const box = await off.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 10];
  await page.evaluate(pressAgainOnceMoved, [x, y] as const);
  await page.mouse.click(x, y);
  await page.getByText("The list has just moved: that press did nothing").waitFor();
  expect((await rows())[0]).toMatch(/^Bilberry lamp 1/);
  expect(posts).toHaveLength(1);
  // Whoever goes there by themselves means what is there.
  await page.mouse.move(x, y + 100);
  await page.mouse.click(x, y);
  await expect.poll(() => posts.length).toBe(2);
});

/** Runs in the page: presses there as soon as other rows have come, before anybody could have read their names. */
function pressAgainOnceMoved([clientX, clientY]: readonly [number, number]): void {
  const main = document.getElementById("main");
  const at = { bubbles: true, cancelable: true, clientX, clientY };
  const watch = new MutationObserver((changes) => {
    if (!changes.some(({ addedNodes }) => [...addedNodes].some(({ nodeName }) => nodeName === "TR"))) return;
    watch.disconnect();
    const there = document.elementFromPoint(clientX, clientY);
    there?.dispatchEvent(new PointerEvent("pointerdown", at));
    there?.dispatchEvent(new MouseEvent("click", { ...at, detail: 1 }));
  });
  if (main) watch.observe(main, { childList: true, subtree: true });
}
