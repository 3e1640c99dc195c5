/**
 * The object's SQLite as the engine has it: with `kept`, rows that are asked for over and over stay in memory. Without,
 * every question and every change goes to the tables at once.
 */
export type Store = SqlStorage & { readonly kept?: Kept };

/** How the rows of one table are found, written and dropped by their key. Rows are values: nobody changes one in place. */
export type Table<Row> = {
  read: (sql: SqlStorage, key: string) => Row | null;
  /** `stored` is the row as the table has it; null where that is not known, or it has none. */
  write: (sql: SqlStorage, key: string, row: Row, stored: Row | null) => void;
  drop: (sql: SqlStorage, key: string) => void;
  /** Whether a row need not be written again. */
  isSame?: (before: Row, after: Row) => boolean;
  /** How many rows stay in memory between two transactions. */
  most: number;
};

type Member = { write: () => void; trim: () => void; forgetUnchanged: () => void; forget: () => void };

export type Rows<Row> = {
  /** Whatever is kept is asked for again: a statement has changed many rows. Where nothing is kept, nothing has to be. */
  forget?: () => void;
  get: (key: string) => Row | null;
  put: (key: string, row: Row) => void;
  drop: (key: string) => void;
  /** Somebody has written the row, or null where it is gone, by a statement of their own. */
  know: (key: string, row: Row | null) => void;
};

/**
 * What the tables have in memory, for one process: within a transaction, changes are written once, at its end, however
 * often a row changed. Whatever fails forgets: a transaction everything that is kept, a part of one (`undoTo`) what it
 * changed.
 */
export class Kept {
  readonly #members: Member[] = [];
  #undo: (() => void)[] = [];
  /** Whether a transaction is open; outside of one a change is written at once. */
  isOpen = false;

  join(member: Member): void {
    this.#members.push(member);
  }

  /** Writes what has changed; before a statement that reads or changes many rows of a table, and at the end. */
  write(): void {
    for (const member of this.#members) member.write();
  }

  begin(): void {
    this.isOpen = true;
  }

  /** After the commit: nothing is undone any more. */
  end(): void {
    this.isOpen = false;
    this.#undo = [];
    for (const member of this.#members) member.trim();
  }

  /** Nothing that is kept can be believed: the transaction failed, or somebody else has written. */
  forget(): void {
    this.isOpen = false;
    this.#undo = [];
    for (const member of this.#members) member.forget();
  }

  noteUndo(undo: () => void): void {
    if (this.isOpen) this.#undo.push(undo);
  }

  get mark(): number {
    return this.#undo.length;
  }

  undoTo(mark: number): void {
    for (const undo of this.#undo.splice(mark).toReversed()) undo();
    // What was read meanwhile may be what was undone.
    for (const member of this.#members) member.forgetUnchanged();
  }
}

/** For tables that are only written row by row elsewhere, or not at all. */
export const READ_ONLY = { write: refuse, drop: refuse };

function refuse(): never {
  throw new Error("these rows are only read");
}

/** Rows of a table by way of what is kept, or, of a plain SQLite, by way of nothing. */
export function keptTable<Row>(table: Table<Row>): (sql: Store) => Rows<Row> {
  const members = new WeakMap<Kept, KeptRows<Row>>();
  return (sql) => {
    const { kept } = sql;
    if (!kept) return direct(table, sql);
    const known = members.get(kept);
    if (known) return known;
    const made = new KeptRows(table, sql, kept);
    kept.join(made);
    members.set(kept, made);
    return made;
  };
}

function direct<Row>({ read, write, drop }: Table<Row>, sql: SqlStorage): Rows<Row> {
  return {
    get: (key) => read(sql, key),
    put: (key, row) => write(sql, key, row, null),
    drop: (key) => drop(sql, key),
    know: () => undefined,
  };
}

class KeptRows<Row> implements Rows<Row> {
  /** Null: known not to be there. */
  readonly #rows = new Map<string, Row | null>();
  /** Each with the row as the table still has it; undefined: not known. */
  readonly #changed = new Map<string, Row | null | undefined>();

  constructor(
    readonly table: Table<Row>,
    readonly sql: SqlStorage,
    readonly kept: Kept,
  ) {}

  get(key: string): Row | null {
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = this.table.read(this.sql, key);
    this.#rows.set(key, row);
    return row;
  }

  put(key: string, row: Row): void {
    this.#change(key, row);
  }

  drop(key: string): void {
    this.#change(key, null);
  }

  know(key: string, row: Row | null): void {
    const before = this.#rows.get(key);
    this.kept.noteUndo(() => {
      if (before === undefined) this.#rows.delete(key);
      else this.#rows.set(key, before);
    });
    this.#rows.set(key, row);
    this.#changed.delete(key);
  }

  #change(key: string, row: Row | null): void {
    const before = this.#rows.get(key);
    if (before !== undefined && this.#isSame(before, row)) return;
    const wasChanged = this.#changed.has(key);
    this.kept.noteUndo(() => {
      if (before === undefined) this.#rows.delete(key);
      else this.#rows.set(key, before);
      if (!wasChanged) this.#changed.delete(key);
    });
    this.#rows.set(key, row);
    if (!wasChanged) this.#changed.set(key, before);
    if (!this.kept.isOpen) this.write();
  }

  #isSame(before: Row | null, row: Row | null): boolean {
    return before === null || row === null ? before === row : (this.table.isSame?.(before, row) ?? false);
  }

  write(): void {
    for (const [key, stored] of this.#changed) {
      const row = this.#rows.get(key);
      if (row) this.table.write(this.sql, key, row, stored ?? null);
      else if (stored !== null) this.table.drop(this.sql, key);
      // A part of the transaction that is undone takes with it what it wrote of an earlier part.
      this.kept.noteUndo(() => this.#changed.set(key, stored));
    }
    this.#changed.clear();
  }

  trim(): void {
    if (this.#rows.size > this.table.most) this.forget();
  }

  forgetUnchanged(): void {
    for (const key of this.#rows.keys()) if (!this.#changed.has(key)) this.#rows.delete(key);
  }

  forget(): void {
    this.#rows.clear();
    this.#changed.clear();
  }
}

/** The store of one process on the object's SQLite. */
export function keptStore(sql: SqlStorage): Store {
  return Object.create(sql, { kept: { value: new Kept() }, exec: { value: sql.exec.bind(sql) } });
}
