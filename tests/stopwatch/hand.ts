import type { Locator, Page } from "playwright-core";

/** What a job took. Typed characters are the text of fields, dates and times among them; keys are all other keys. */
export type Count = { clicks: number; keys: number; typed: number };

/** A person's hand on a page: it does what it is told, and counts it. Scrolling and looking are not counted. */
export type Hand = {
  page: Page;
  count: Count;
  click: (element: Locator) => Promise<void>;
  /** Chooses an option of a select by its label: a click opens it, another one chooses. */
  choose: (label: string, option: string | RegExp) => Promise<void>;
  /** Clicks into a field and types. */
  fill: (label: string, text: string) => Promise<void>;
  /** Types into the field that has the focus, which must be this one: what the screen has focused takes no click. */
  typeInto: (label: string, text: string) => Promise<void>;
  press: (key: string) => Promise<void>;
};

export function aHand(page: Page): Hand {
  const count: Count = { clicks: 0, keys: 0, typed: 0 };
  const field = (label: string) => page.getByLabel(label, { exact: true }).filter({ visible: true }).last();

  async function click(element: Locator, at?: { x: number; y: number }) {
    await element.click(at && { position: at });
    count.clicks += 1;
  }

  async function type(text: string) {
    await page.keyboard.type(text);
    count.typed += text.length;
  }

  return {
    page,
    count,
    click: (element) => click(element),
    choose: async (label, option) => {
      const found = field(label).locator("option").filter({ hasText: option }).first();
      await found.waitFor({ state: "attached" });
      await field(label).selectOption({ label: await found.innerText() });
      count.clicks += 2;
    },
    fill: async (label, text) => {
      // At its left edge, where a date or a time has its first part.
      await click(field(label), { x: 14, y: 12 });
      await type(text);
    },
    typeInto: async (label, text) => {
      await field(label).and(page.locator(":focus")).waitFor();
      await type(text);
    },
    press: async (key) => {
      await page.keyboard.press(key);
      count.keys += 1;
    },
  };
}
