import type { Staff } from "#tests/support/staff";
import type { Hand } from "./hand";
import { proofs, type Proof } from "./proofs";
import { bar, box, button, card, dayChip, link, menu, typedDate } from "./screen";

const ZONE = "America/Los_Angeles";
const DAY_MS = 86_400_000;

/** A way to do a job, from the dashboard on, and the proof that it was done. */
type Way = { by: string; work: (hand: Hand, staff: Staff) => Promise<void>; proof: Proof };

/**
 * A job with the most clicks that it may take besides typing. `menu` is the long way, which leads through the menu and
 * fills in every field; `quick` leads through the links of the dashboard and what they fill in.
 */
export type Job = { name: string; most: number; menu: Way; quick: Way };

/** The light whose lamp somebody switched at night, and what the journal must say of it. */
export const NIGHT = {
  area: "Viaduct Path",
  light: "Underpass",
  id: "demo-light-viaduct-underpass",
  why: "burst pipe",
};

const SIX = [
  "Pitch A north mast",
  "Pitch A south mast",
  "Pitch B north mast",
  "Pitch B south mast",
  "Running track",
  "Long jump",
];

/** `now`: the run's clock (epoch ms). */
export function jobsAt(now: number): Job[] {
  const tonight = new Date(now).toLocaleDateString("en-CA", { timeZone: ZONE });
  const last_day = new Date(now + 120 * DAY_MS).toLocaleDateString("en-CA", { timeZone: ZONE });
  const weekdays = { days: ["TU", "TH"], last_day };
  return [
    {
      name: "book one field",
      most: 6,
      menu: {
        by: "Schedules, New Schedule",
        work: (hand) => bookByMenu(hand, "Finals", "All lights", tonight),
        proof: proofs.booked("Finals", { lights: 8, date: tonight, rule: null }),
      },
      quick: {
        by: "Book on the area's card",
        work: async (hand) => {
          await hand.click(card(hand.page, "Alder Field", "Book"));
          await hand.typeInto("Title", "Finals again");
          await hours(hand);
          await hand.click(button(hand.page, "Create Schedule"));
        },
        proof: proofs.booked("Finals again", { lights: 8, date: tonight, rule: null }),
      },
    },
    {
      name: "book one light",
      most: 6,
      menu: {
        by: "Schedules, New Schedule",
        work: (hand) => bookByMenu(hand, "Long jump class", "Long jump", tonight),
        proof: proofs.booked("Long jump class", { lights: 1, date: tonight, rule: null }),
      },
      quick: {
        by: "area, light, New schedule",
        work: async (hand) => {
          await openPage(hand, "Alder Field");
          await openPage(hand, "Long jump");
          await hand.click(link(hand.page, "New schedule"));
          await hand.typeInto("Title", "Long jump finals");
          await hours(hand);
          await hand.click(button(hand.page, "Create Schedule"));
        },
        proof: proofs.booked("Long jump finals", { lights: 1, date: tonight, rule: null }),
      },
    },
    {
      name: "six lights Tue and Thu to the end of the season",
      most: 9,
      menu: {
        by: "Schedules, New Schedule, Several lights",
        work: (hand) => seasonByMenu(hand, tonight, last_day),
        proof: proofs.booked("Spring season", { lights: SIX.length, rule: weekdays }),
      },
      quick: {
        by: "Book on the area's card, two left out",
        work: async (hand) => {
          await hand.click(card(hand.page, "Alder Field", "Book"));
          await hand.typeInto("Title", "Whole season");
          for (const light of ["Clubhouse", "Alder car park"]) await hand.click(box(hand.page, light));
          await hours(hand);
          for (const day of ["Tue", "Thu"]) await hand.click(dayChip(hand.page, day));
          await hand.fill("Last day", typedDate(last_day));
          await hand.click(button(hand.page, "Create Schedule"));
        },
        proof: proofs.booked("Whole season", { lights: SIX.length, rule: weekdays }),
      },
    },
    {
      name: "skip one night",
      most: 3,
      menu: {
        by: "Tonight, its area, its bar, Skip",
        work: async (hand) => {
          const { page } = hand;
          await hand.click(menu(page, "Tonight"));
          await hand.click(button(page, /^Linden Park \d/));
          await hand.click(bar(page, /^Rose garden: Autumn evenings/));
          await hand.click(button(page, "Skip tonight…"));
          await hand.click(button(page, "Skip"));
        },
        proof: proofs.skipped("Autumn evenings", tonight),
      },
      quick: {
        by: "Schedules, Skip at its row",
        work: async (hand) => {
          const { page } = hand;
          await hand.click(menu(page, "Schedules"));
          await hand.click(button(page, "Skip a night of Runners"));
          await hand.click(button(page, "Skip"));
        },
        proof: proofs.skipped("Runners", tonight),
      },
    },
    {
      name: "one park off now",
      most: 2,
      menu: {
        by: "Devices, filter, select all",
        work: async (hand) => {
          const { page } = hand;
          await hand.click(menu(page, "Devices"));
          await hand.click(page.locator("summary", { hasText: "Filter" }));
          await hand.choose("Area", "Linden Park");
          await page.getByText(/^9 of \d+$/).waitFor();
          await hand.click(button(page, "Select"));
          await hand.click(button(page, "All on this page"));
          await hand.click(button(page, "Turn off"));
          await page.getByText("9 turned off").waitFor();
        },
        proof: proofs.isOff("Linden Park", 9),
      },
      quick: {
        by: "All off on the area's card, confirm",
        work: async (hand) => {
          const { page } = hand;
          await hand.click(card(page, "Linden Park", "All off…"));
          await hand.click(button(page, "Turn off 9 lights"));
          await page.getByText("9 lights turned off").waitFor();
        },
        proof: proofs.isOff("Linden Park", 9),
      },
    },
    {
      name: "why was this light on at 02:00, and who did it",
      most: 2,
      menu: {
        by: "Events Log, search",
        work: async (hand) => {
          const { page } = hand;
          await hand.click(menu(page, "Events Log"));
          await hand.fill("Search events", NIGHT.light);
          await page.getByRole("row", { name: NIGHT.why }).first().waitFor();
        },
        proof: proofs.toldWhy(NIGHT),
      },
      quick: {
        by: "area, light",
        work: async (hand) => {
          const { page } = hand;
          await openPage(hand, NIGHT.area);
          await openPage(hand, NIGHT.light);
          await page.getByText(NIGHT.why).first().waitFor();
        },
        proof: proofs.toldWhy(NIGHT),
      },
    },
    {
      name: "what is broken",
      most: 1,
      menu: {
        by: "Devices, filter, Hubs, filter",
        work: async (hand, staff) => {
          const { page } = hand;
          await hand.click(menu(page, "Devices"));
          await hand.click(page.locator("summary", { hasText: "Filter" }));
          await hand.choose("Show", "Wrong only");
          await proofs.broken("lights")(staff, page);
          await hand.click(menu(page, "Hubs"));
          await page.getByRole("heading", { level: 1, name: "Hub Management" }).waitFor();
          await hand.click(page.locator("summary", { hasText: "Filter" }));
          await hand.choose("Status", "Offline");
        },
        proof: proofs.broken("hubs"),
      },
      quick: {
        by: "Needs attention on the dashboard",
        work: async ({ page }) => page.getByRole("region", { name: "Needs attention" }).waitFor(),
        proof: proofs.broken("all"),
      },
    },
  ];
}

async function openPage(hand: Hand, name: string): Promise<void> {
  await hand.click(link(hand.page, name));
  await hand.page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

async function bookByMenu(hand: Hand, title: string, target: string, date: string): Promise<void> {
  await openByMenu(hand, title);
  await hand.choose("Device", target);
  await hand.fill("Start date", typedDate(date));
  await hours(hand);
  await hand.click(button(hand.page, "Create Schedule"));
}

async function seasonByMenu(hand: Hand, date: string, last_day: string): Promise<void> {
  await openByMenu(hand, "Spring season");
  await hand.choose("Device", "Several lights...");
  for (const light of SIX) await hand.click(box(hand.page, light));
  await hand.fill("Start date", typedDate(date));
  await hours(hand);
  await hand.choose("Recurrence", "Weekly");
  // The weekday of its start is ticked already.
  await hand.click(
    dayChip(hand.page, new Date(date).toLocaleDateString("en-US", { weekday: "short", timeZone: "UTC" })),
  );
  for (const day of ["Tue", "Thu"]) await hand.click(dayChip(hand.page, day));
  await hand.choose("Ends", "On a date");
  await hand.fill("Last day", typedDate(last_day));
  await hand.click(button(hand.page, "Create Schedule"));
}

async function openByMenu(hand: Hand, title: string): Promise<void> {
  await hand.click(menu(hand.page, "Schedules"));
  await hand.click(button(hand.page, "New Schedule"));
  await hand.typeInto("Title", title);
  await hand.choose("Area", "Alder Field");
}

async function hours(hand: Hand): Promise<void> {
  await hand.fill("Start time", "0600PM");
  await hand.fill("End time", "0800PM");
}
