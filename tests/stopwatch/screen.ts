import type { Locator, Page } from "playwright-core";

/** What a person sees on the screens, by its name. */
export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: true }).filter({ visible: true }).last();

/** A link of the screen itself. */
export const link = (page: Page, name: string): Locator =>
  page.getByRole("main").getByRole("link", { name, exact: true }).filter({ visible: true }).first();

/** An entry of the menu at the side. */
export const menu = (page: Page, name: string): Locator =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });

/** A link of an area's card on the dashboard. */
export const card = (page: Page, area: string, name: string): Locator =>
  page.getByRole("group", { name: area, exact: true }).getByRole("link", { name, exact: true });

/** A light to tick. */
export const box = (page: Page, light: string): Locator => page.getByRole("checkbox", { name: light, exact: true });

/** A weekday of a recurrence: the box itself is hidden behind its short name. */
export const dayChip = (page: Page, day: string): Locator =>
  page.getByRole("group", { name: "On these days" }).locator("label", { hasText: day });

/** A bar of the night's chart, by how its sentence begins. */
export const bar = (page: Page, sentence: RegExp): Locator =>
  page.getByRole("button", { name: sentence }).filter({ visible: true }).first();

/** A date (YYYY-MM-DD) as one types it into a date field. */
export function typedDate(date: string): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return month + day + year;
}
