import type { Desk } from "./desk";

/** What D1 says that a person holds a device on or off until; lists show it. */
export type Shown = { action: string; until: string; emergency: boolean };

/** An emergency while it lasts, else the hold; what is over readers drop. */
export function checkShown(desk: Desk, device: string, stored: Shown | null): void {
  const { books, world } = desk;
  const book = books.get(device);
  if (!book) return;
  const isOver = stored !== null && Date.parse(stored.until) <= world.clock;
  const shown =
    stored === null || isOver ? "nothing" : nameOf(stored.action, Date.parse(stored.until), stored.emergency);
  const runs = (slot: { until: number } | null) => slot !== null && slot.until > world.clock;
  const emergency = runs(book.emergency) ? book.emergency : null;
  const hold = runs(book.hold) ? book.hold : null;
  const wanted = emergency
    ? nameOf("on", emergency.until, true)
    : hold
      ? nameOf(hold.action, hold.until, false)
      : "nothing";
  if (shown !== wanted) desk.object(device, `lists show ${shown}, and it is held: ${wanted}`);
}

function nameOf(action: string, until: number, isEmergency: boolean): string {
  return `${action} until ${new Date(until).toISOString()}${isEmergency ? ", emergency" : ""}`;
}
