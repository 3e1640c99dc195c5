import { newBook, type Book } from "#tests/simulation/oracle/book";
import type { City } from "#tests/simulation/oracle/city";
import type { Orphan } from "#tests/simulation/oracle/desk";
import { finding } from "#tests/simulation/oracle/standing";
import { bringBack, dumpOf, loseAll, type Dump } from "#tests/support/backup-of";
import { noteRestored } from "./backups";
import type { Town } from "./town";

/** A city as it was when its backup was made, in the oracle's own books, too. */
export type Yesterday = {
  city: City;
  dump: Dump;
  books: Book[];
  orphans: Map<string, Orphan>;
  told: Map<string, number>;
  /** How many names were given. */
  n: number;
};

export async function backUpWhole(town: Town): Promise<Yesterday> {
  const { desk } = town.oracle;
  return {
    city: town.city,
    dump: await dumpOf(town.world),
    books: [...desk.books.values()].map((book) => ({ ...book })),
    orphans: new Map([...desk.orphans].map(([lamp, orphan]) => [lamp, { ...orphan }])),
    told: new Map(desk.told),
    n: town.n,
  };
}

/**
 * The deployment is lost, and another begins with the backup and an object that was never there. What people toggled until
 * the backup holds; what was under way, read or looked at is not known to anybody.
 */
export async function beginAgain(town: Town, { city, dump, books, orphans, told, n }: Yesterday): Promise<void> {
  const { world, oracle } = town;
  const { desk } = oracle;
  await loseAll(world.org_id);
  await bringBack(dump, world.now, "restore-2");
  town.n = n;
  desk.known = city;
  desk.read = city;
  desk.orphans = orphans;
  for (const [device, at] of told) desk.told.set(device, at);
  desk.books = new Map(books.map((book) => [book.id, remembered(book)]));
  desk.byLamp = new Map([...desk.books.values()].map((book) => [book.lamp, book]));
  await noteRestored(town, city, "restore-2");
  for (const book of desk.books.values()) {
    // The city that was lost lit it after its backup.
    if (book.lit_since === null && desk.lamps.lit.has(book.lamp)) desk.grant(book, finding(desk, book));
  }
}

function remembered(book: Book): Book {
  const { id, lamp, hub, off_at, cut_at, on_at, hold, emergency, lit_since, lit_by, isSeenLit, dark_since } = book;
  const memory = { off_at, cut_at, on_at, hold, emergency, lit_since, lit_by };
  return { ...newBook(id, lamp, hub), ...memory, isSeenLit, dark_since, key: "" };
}
