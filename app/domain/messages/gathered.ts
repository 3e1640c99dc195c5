import { grouped } from "#domain/counted";
import { shortened } from "./shortened";

/** How many waiting messages are of one kind, and the text of one of them. */
export type OfKind = { n: number; message: string };

/** More lines are no message any more, but a list. */
const MOST_LINES = 6;

/** The one text for many messages: how many they are, and an example of each kind, in their order. */
export function gatheredText(kinds: OfKind[]): string {
  const count = kinds.reduce((sum, { n }) => sum + n, 0);
  const lines = kinds
    .slice(0, MOST_LINES)
    .map(({ n, message }) => `${shortened(message)}${n > 1 ? ` And ${grouped(n - 1)} more like it.` : ""}`);
  return [
    `${grouped(count)} messages in one, since many came at once:`,
    ...lines,
    "All of them are under Alarms.",
  ].join("\n");
}
