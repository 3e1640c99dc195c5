import { load } from "../../worker/local/typescript.mjs";

/** A desk, and a phone of a quarter of this machine's speed. */
const VIEWS = {
  desk: { rate: 1, viewport: { width: 1280, height: 800 } },
  phone: { rate: 4, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};
const RUNS = 3;
const SETTLED_MS = 1_000;

/** What Devices costs the browser, in milliseconds: when things are shown, and the longest task of each step (from 50). */
export async function measureScreen(url, cookie) {
  const [name, value] = cookie.split(/=(.*)/s);
  const { aBrowser } = await load("tests/support/chromium.ts");
  const browser = await aBrowser();
  const figures = {};
  for (const [view, { rate, ...options }] of Object.entries(VIEWS)) {
    const visits = [];
    for (let run = 0; run < RUNS; run += 1) {
      const context = await browser.newContext(options);
      await context.addCookies([{ name, value, url }]);
      visits.push(await visit(await context.newPage(), rate, `${url}/devices`));
      await context.close();
    }
    for (const step of Object.keys(visits[0])) figures[`${view}: ${step}`] = median(visits.map((each) => each[step]));
  }
  await browser.close();
  return figures;
}

async function visit(page, rate, url) {
  const line = await page.context().newCDPSession(page);
  await line.send("Emulation.setCPUThrottlingRate", { rate });
  await page.addInitScript(watch);
  await page.goto(url);
  await page.waitForFunction(() => window.watched.usable > 0);
  await page.waitForTimeout(SETTLED_MS);

  const figures = await page.evaluate(() => ({ "first card": window.watched.first, usable: window.watched.usable }));
  const step = async (name, work) => {
    const since = await page.evaluate(() => performance.now());
    const shown = await work();
    await page.waitForTimeout(SETTLED_MS);
    if (typeof shown === "number") figures[name] = shown;
    figures[`${name}, longest task`] = await page.evaluate((at) => window.watched.longest("tasks", at), since);
    if (name === "scrolling")
      figures["scrolling, worst frame"] = await page.evaluate((at) => window.watched.longest("frames", at), since);
  };

  await step("scrolling", () => page.evaluate(scroll));
  await step("a poll", async () => {
    await page.waitForTimeout(2 * SETTLED_MS); // no two within two seconds
    await page.evaluate(() => void window.dispatchEvent(new Event("focus")));
  });
  await step("a press", () => page.evaluate(press, ["main article [name=off]", "main article [name=off]:disabled"]));
  await step("a form", () => page.evaluate(press, ["main [form=dialogs][name=new]", "[role=dialog] [name=name]"]));
  await page.keyboard.press("Escape");
  await step("typing", async () => {
    await page.locator("[type=search]").click();
    await page.keyboard.type("light off", { delay: 80 });
  });
  await step("quick search", async () => {
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.type("/");
    await page.locator("dialog[open] input").waitFor();
    await page.keyboard.type("light", { delay: 80 });
  });
  return figures;
}

/** In the page, from its first moment. */
function watch() {
  const seen = { first: 0, usable: 0, tasks: [], frames: [] };
  const longest = (what, since) =>
    Math.max(0, ...seen[what].filter(({ at, ms }) => at + ms > since).map(({ ms }) => ms));
  window.watched = Object.assign(seen, { longest });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.tasks.push({ at: startTime, ms: duration });
  }).observe({ type: "longtask", buffered: true });
  let last = 0;
  requestAnimationFrame(function frame(now) {
    if (last) seen.frames.push({ at: last, ms: now - last });
    last = now;
    const button = [...document.querySelectorAll("main article button")].at(-1);
    if (button) seen.first ||= now;
    if (button && Object.keys(button).some((key) => key.startsWith("__reactProps"))) seen.usable ||= now;
    requestAnimationFrame(frame);
  });
}

/** Down the whole page, a good flick's distance a frame. */
function scroll() {
  return new Promise((done) => {
    requestAnimationFrame(function frame() {
      const { scrollY } = window;
      window.scrollBy(0, 60);
      if (window.scrollY === scrollY) done();
      else requestAnimationFrame(frame);
    });
  });
}

/** Until what follows from the press is in the next frame; answers after how many milliseconds. */
function press([button, effect]) {
  return new Promise((done) => {
    const began = performance.now();
    document.querySelector(button).click();
    requestAnimationFrame(function frame() {
      if (document.querySelector(effect)) done(performance.now() - began);
      else requestAnimationFrame(frame);
    });
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
