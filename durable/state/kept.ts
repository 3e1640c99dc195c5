/**
 * The object's SQLite as the engine has it: with `kept`, rows that are asked for over and over stay in memory. Without,
 * every question and every change goes to the tables at once.
 */
export type Store = SqlStorage & { readonly kept?: Kept };

type Key = string | number;

/**
 * How the rows of one table are found, written and dropped by their key. Rows are values: nobody changes one in place.
 * A key is asked for many times a light, so it is an id as it is: one that is put together is hashed anew each time.
 */
export type Table<Row, K extends Key = string> = {
  read: (sql: Store, key: K) => Row | null;
  /** Those of many keys, a JSON list, in one statement. */
  readMany?: (sql: Store, keys: string) => (readonly [K, Row])[];
  /** Every row: of a table that has few, and is mostly asked for what it does not have. */
  readAll?: (sql: Store) => (readonly [K, Row])[];
  /** `stored` is the row as the table has it; null where that is not known, or it has none. */
  write: (sql: SqlStorage, key: K, row: Row, stored: Row | null) => void;
  drop: (sql: SqlStorage, key: K) => void;
  /** Instead of `write` for each, where one statement that writes many rows is cheaper; in the order of the changes. */
  writeMany?: (sql: SqlStorage, rows: [key: K, row: Row][]) => void;
  /** Drops those of many keys, a JSON list, in one statement. */
  dropMany?: (sql: SqlStorage, keys: string) => void;
  /** Whether a row need not be written again. */
  isSame?: (before: Row, after: Row) => boolean;
  /** How many rows stay in memory between two transactions. */
  most: number;
};

type Member = { write: () => void; trim: () => void; forgetUnchanged: () => void; forget: () => void };

export type Rows<Row, K extends Key = string> = {
  get: (key: K) => Row | null;
  put: (key: K, row: Row) => void;
  drop: (key: K) => void;
  /** Somebody has written the row, or null where it is gone, by a statement of their own. */
  know: (key: K, row: Row | null) => void;
  /** Reads what is about to be asked for, all at once. Where nothing is kept, each is read when it is asked for. */
  load?: (keys: K[]) => void;
  /** What has changed and is not written yet; null: gone. Where nothing is kept, all is written. */
  changed?: () => (readonly [K, Row | null])[];
  /** Writes what has changed; before a statement that reads or changes many rows. */
  write?: () => void;
  /** Whatever is kept is asked for again: a statement has changed many rows. Where nothing is kept, nothing has to be. */
  forget?: () => void;
};

/**
 * What the tables have in memory, for one process: within a transaction, changes are written once, at its end, however
 * often a row changed. Whatever fails forgets: a transaction everything that is kept, a part of one (`attempt`) what it
 * changed.
 */
export class Kept {
  readonly #members: Member[] = [];
  /** What the part that runs has changed, as how to undo it. */
  #undo: (() => void)[] = [];
  /** How the part that runs is undone: by the journal alone, or by a savepoint beside it. */
  #part: "none" | "in_memory" | "in_savepoint" = "none";
  #needsSavepoint = false;
  /** Whether a transaction is open; outside of one a change is written at once. */
  isOpen = false;

  constructor(
    /** Where rows are written to. */
    readonly tables: SqlStorage,
  ) {}

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

  /** After the commit. */
  end(): void {
    this.isOpen = false;
    for (const member of this.#members) member.trim();
  }

  /** Nothing that is kept can be believed: the transaction failed, or somebody else has written. */
  forget(): void {
    this.isOpen = false;
    for (const member of this.#members) member.forget();
  }

  /**
   * Does a part of a transaction, which may fail by itself: then what it changed is undone, and it throws. Most parts change
   * kept rows alone, which a journal undoes. One that is about to write to the tables itself is undone and begun anew, in
   * a savepoint, which costs as much as two statements.
   */
  attempt<T>(part: () => T, inSavepoint: (part: () => T) => T): T {
    if (this.#part === "in_memory" || (this.#part === "none" && this.isOpen)) {
      const done = this.#inMemory(part);
      if (done !== null) return done.result;
    }
    return this.#run("in_savepoint", () => inSavepoint(part));
  }

  /** Null where it needs a savepoint, and has been undone. */
  #inMemory<T>(part: () => T): { result: T } | null {
    const isInner = this.#part === "in_memory";
    const mark = this.#undo.length;
    try {
      const result = this.#run("in_memory", part);
      if (!this.#needsSavepoint || isInner) return { result };
    } catch (error) {
      if (!this.#needsSavepoint || isInner) throw error;
    }
    this.#undoTo(mark);
    this.#needsSavepoint = false;
    return null;
  }

  #run<T>(how: "in_memory" | "in_savepoint", part: () => T): T {
    const before = this.#part;
    const mark = this.#undo.length;
    this.#part = how;
    try {
      return part();
    } catch (error) {
      this.#undoTo(mark);
      // What was read meanwhile may be what was undone.
      if (how === "in_savepoint") for (const member of this.#members) member.forgetUnchanged();
      throw error;
    } finally {
      this.#part = before;
      if (before === "none" && !this.#needsSavepoint) this.#undo = [];
    }
  }

  /** Whether the part that runs may change kept rows alone. */
  get isInMemory(): boolean {
    return this.#part === "in_memory";
  }

  /** Whether the part that runs is about to begin anew: what it threw is no failure of its own. */
  get needsSavepoint(): boolean {
    return this.#needsSavepoint;
  }

  /** Somebody is about to write to the tables. */
  beforeWrite(): void {
    if (!this.isInMemory) return;
    this.#needsSavepoint = true;
    throw new Error("a part in memory is about to write");
  }

  noteUndo(undo: () => void): void {
    if (this.#part !== "none") this.#undo.push(undo);
  }

  #undoTo(mark: number): void {
    for (const undo of this.#undo.splice(mark).toReversed()) undo();
  }
}

/** For tables that are only written row by row elsewhere, or not at all. */
export const READ_ONLY = { write: refuse, drop: refuse };

function refuse(): never {
  throw new Error("these rows are only read");
}

/** Rows of a table by way of what is kept, or, of a plain SQLite, by way of nothing. */
export function keptTable<Row, K extends Key = string>(table: Table<Row, K>): (sql: Store) => Rows<Row, K> {
  const members = new WeakMap<Kept, KeptRows<Row, K>>();
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

function direct<Row, K extends Key>({ read, write, drop }: Table<Row, K>, sql: SqlStorage): Rows<Row, K> {
  return {
    get: (key) => read(sql, key),
    put: (key, row) => write(sql, key, row, null),
    drop: (key) => drop(sql, key),
    know: () => undefined,
  };
}

class KeptRows<Row, K extends Key> implements Rows<Row, K> {
  /** Null: known not to be there. */
  readonly #rows = new Map<K, Row | null>();
  /** Each with the row as the table still has it; undefined: not known. */
  readonly #changed = new Map<K, Row | null | undefined>();
  /** Whether every row is there: what is not is not in the table either. */
  #isAll = false;

  constructor(
    readonly table: Table<Row, K>,
    readonly sql: Store,
    readonly kept: Kept,
  ) {}

  get(key: K): Row | null {
    const known = this.#known(key);
    if (known !== undefined) return known;
    const row = this.table.read(this.sql, key);
    this.#rows.set(key, row);
    return row;
  }

  /** Undefined: nobody has asked. */
  #known(key: K): Row | null | undefined {
    if (!this.table.readAll) return this.#rows.get(key);
    if (!this.#isAll) this.#readAll(this.table.readAll(this.sql));
    return this.#rows.size === 0 ? null : (this.#rows.get(key) ?? null);
  }

  #readAll(all: (readonly [K, Row])[]): void {
    for (const [key, row] of all) if (!this.#changed.has(key)) this.#rows.set(key, row);
    this.#isAll = true;
  }

  load(keys: K[]): void {
    const unknown = keys.filter((key) => !this.#rows.has(key));
    const found = unknown.length === 0 ? null : this.#readMany(unknown);
    if (found === null) return;
    for (const key of unknown) this.#rows.set(key, null);
    for (const [key, row] of found) this.#rows.set(key, row);
  }

  /** Null where one of them cannot be read: then each is when it is asked for, and that one is trouble of its own. */
  #readMany(keys: K[]): (readonly [K, Row])[] | null {
    try {
      return this.table.readMany?.(this.sql, JSON.stringify(keys)) ?? null;
    } catch {
      return null;
    }
  }

  put(key: K, row: Row): void {
    this.#change(key, row);
  }

  drop(key: K): void {
    this.#change(key, null);
  }

  know(key: K, row: Row | null): void {
    this.#noteUndo(key, this.#rows.get(key));
    this.#rows.set(key, row);
    this.#changed.delete(key);
  }

  #change(key: K, row: Row | null): void {
    const before = this.#known(key);
    if (before !== undefined && this.#isSame(before, row)) return;
    this.#noteUndo(key, before);
    this.#rows.set(key, row);
    if (!this.#changed.has(key)) this.#changed.set(key, before);
    if (!this.kept.isOpen) this.write();
  }

  /** To be called before the row or its mark as changed changes. */
  #noteUndo(key: K, before: Row | null | undefined): void {
    const wasChanged = this.#changed.has(key);
    const stored = this.#changed.get(key);
    this.kept.noteUndo(() => {
      if (before === undefined) this.#rows.delete(key);
      else this.#rows.set(key, before);
      if (wasChanged) this.#changed.set(key, stored);
      else this.#changed.delete(key);
    });
  }

  #isSame(before: Row | null, row: Row | null): boolean {
    return before === null || row === null ? before === row : (this.table.isSame?.(before, row) ?? false);
  }

  changed(): (readonly [K, Row | null])[] {
    return [...this.#changed.keys()].map((key) => [key, this.#rows.get(key) ?? null]);
  }

  write(): void {
    if (this.#changed.size === 0) return;
    this.kept.beforeWrite();
    const { tables } = this.kept;
    const { write, writeMany } = this.table;
    const together: [key: K, row: Row][] = [];
    const gone: K[] = [];
    for (const [key, stored] of this.#changed) {
      const row = this.#rows.get(key);
      if (row && writeMany) together.push([key, row]);
      else if (row) write(tables, key, row, stored ?? null);
      else if (stored !== null) gone.push(key);
      if (!row && this.#isAll) this.#rows.delete(key);
      // A part of the transaction that is undone takes with it what it wrote of an earlier part.
      this.kept.noteUndo(() => this.#changed.set(key, stored));
    }
    if (together.length > 0) writeMany?.(tables, together);
    this.#drop(gone);
    this.#changed.clear();
  }

  #drop(keys: K[]): void {
    const { drop, dropMany } = this.table;
    if (dropMany && keys.length > 1) return dropMany(this.kept.tables, JSON.stringify(keys));
    for (const key of keys) drop(this.kept.tables, key);
  }

  trim(): void {
    if (this.#rows.size > this.table.most && !this.#isAll) this.forget();
  }

  forgetUnchanged(): void {
    for (const key of this.#rows.keys()) if (!this.#changed.has(key)) this.#rows.delete(key);
    this.#isAll = false;
  }

  forget(): void {
    this.#rows.clear();
    this.#changed.clear();
    this.#isAll = false;
  }
}

const READS = /^\s*SELECT\b/;

/** The store of one process on the object's SQLite. */
export function keptStore(sql: SqlStorage): Store {
  const kept = new Kept(sql);
  const exec = (statement: string, ...values: SqlStorageValue[]) => {
    if (kept.isInMemory && !READS.test(statement)) kept.beforeWrite();
    return sql.exec(statement, ...values);
  };
  return Object.create(sql, { kept: { value: kept }, exec: { value: exec } });
}
