import type { Kept, Store } from "./kept";

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
  /** Writes rows, in the order of the changes; few statements for many of them are cheaper. */
  write: (sql: SqlStorage, rows: Written<Row, K>[]) => void;
  drop: (sql: SqlStorage, key: K) => void;
  /** Drops those of many keys, a JSON list, in one statement. */
  dropMany?: (sql: SqlStorage, keys: string) => void;
  /** Whether a row need not be written again. */
  isSame?: (before: Row, after: Row) => boolean;
  /** How many rows stay in memory between two transactions. */
  most: number;
};

/** A row to be written; `stored` is the row as the table has it, null where that is not known, or it has none. */
export type Written<Row, K extends Key = string> = { key: K; row: Row; stored: Row | null };

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
    put: (key, row) => write(sql, [{ key, row, stored: null }]),
    drop: (key) => drop(sql, key),
    know: () => undefined,
  };
}

/** What is known of one key. */
type Entry<Row, K> = {
  readonly key: K;
  /** Null: known not to be there; undefined: nobody has asked. */
  row: Row | null | undefined;
  /** Whether it is to be written; `stored` is then the row as the table still has it, undefined where that is not known. */
  isChanged: boolean;
  stored: Row | null | undefined;
};

class KeptRows<Row, K extends Key> implements Rows<Row, K> {
  /** One entry a key, so that a question and a change look it up once: keys are hashed and compared at each. */
  readonly #entries = new Map<K, Entry<Row, K>>();
  /** Those that are changed, in the order of their first change. */
  #changed: Entry<Row, K>[] = [];
  /** Whether every row is there: what is not is not in the table either. */
  #isAll = false;

  constructor(
    readonly table: Table<Row, K>,
    readonly sql: Store,
    readonly kept: Kept,
  ) {}

  get(key: K): Row | null {
    this.#readAllOnce();
    if (this.#isAll && this.#entries.size === 0) return null; // most often, and the key need not be hashed
    const entry = this.#entries.get(key);
    if (entry?.row !== undefined) return entry.row;
    if (this.#isAll) return null;
    const row = this.table.read(this.sql, key);
    this.#know(key, row);
    return row;
  }

  #readAllOnce(): void {
    if (this.#isAll || !this.table.readAll) return;
    for (const [key, row] of this.table.readAll(this.sql)) if (!this.#entries.get(key)?.isChanged) this.#know(key, row);
    this.#isAll = true;
  }

  /** Keeps what the table has of a row that is not changed. */
  #know(key: K, row: Row | null): void {
    const entry = this.#entries.get(key);
    if (entry) entry.row = row;
    else this.#entries.set(key, { key, row, isChanged: false, stored: undefined });
  }

  load(keys: K[]): void {
    // Of a key that is asked for twice the table would answer each row twice.
    const unknown = [...new Set(keys)].filter((key) => this.#entries.get(key)?.row === undefined);
    const found = unknown.length === 0 ? null : this.#readMany(unknown);
    if (found === null) return;
    for (const key of unknown) this.#know(key, null);
    for (const [key, row] of found) this.#know(key, row);
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
    const entry = this.#entryOf(key);
    this.#noteUndo(entry);
    entry.row = row;
    if (entry.isChanged) this.#unlist(entry);
    entry.isChanged = false;
  }

  #entryOf(key: K): Entry<Row, K> {
    const known = this.#entries.get(key);
    if (known) return known;
    const entry: Entry<Row, K> = { key, row: this.#isAll ? null : undefined, isChanged: false, stored: undefined };
    this.#entries.set(key, entry);
    return entry;
  }

  #change(key: K, row: Row | null): void {
    this.#readAllOnce();
    const entry = this.#entryOf(key);
    if (entry.row !== undefined && this.#isSame(entry.row, row)) return;
    this.#noteUndo(entry);
    if (!entry.isChanged) {
      entry.stored = entry.row;
      entry.isChanged = true;
      this.#changed.push(entry);
    }
    entry.row = row;
    if (!this.kept.isOpen) this.write();
  }

  /** To be called before the entry changes. */
  #noteUndo(entry: Entry<Row, K>): void {
    if (!this.kept.isUndoable) return;
    const { row, isChanged, stored } = entry;
    this.kept.noteUndo(() => {
      // A part inside of this one that failed may have forgotten it.
      this.#entries.set(entry.key, entry);
      if (entry.isChanged && !isChanged) this.#unlist(entry);
      if (!entry.isChanged && isChanged) this.#changed.push(entry);
      Object.assign(entry, { row, isChanged, stored });
    });
  }

  #unlist(entry: Entry<Row, K>): void {
    if (this.#changed.at(-1) === entry) this.#changed.pop();
    else this.#changed = this.#changed.filter((other) => other !== entry);
  }

  #isSame(before: Row | null, row: Row | null): boolean {
    return before === null || row === null ? before === row : (this.table.isSame?.(before, row) ?? false);
  }

  changed(): (readonly [K, Row | null])[] {
    return this.#changed.map(({ key, row }) => [key, row ?? null]);
  }

  write(): void {
    const changed = this.#changed;
    if (changed.length === 0) return;
    this.kept.beforeWrite();
    // A part of the transaction that is undone takes with it what it wrote of an earlier part.
    if (this.kept.isUndoable) this.#noteUnwrite(changed);
    const rows: Written<Row, K>[] = [];
    const gone: K[] = [];
    for (const { key, row, stored } of changed) {
      if (row) rows.push({ key, row, stored: stored ?? null });
      else if (stored !== null) gone.push(key);
    }
    if (rows.length > 0) this.table.write(this.kept.tables, rows);
    this.#drop(gone);
    for (const entry of changed) {
      entry.isChanged = false;
      if (entry.row === null && this.#isAll) this.#entries.delete(entry.key);
    }
    this.#changed = [];
  }

  #noteUnwrite(changed: Entry<Row, K>[]): void {
    this.kept.noteUndo(() => {
      for (const entry of changed) {
        this.#entries.set(entry.key, entry);
        entry.isChanged = true;
      }
      this.#changed = changed;
    });
  }

  #drop(keys: K[]): void {
    const { drop, dropMany } = this.table;
    if (dropMany && keys.length > 1) return dropMany(this.kept.tables, JSON.stringify(keys));
    for (const key of keys) drop(this.kept.tables, key);
  }

  trim(): void {
    if (this.#entries.size > this.table.most && !this.#isAll) this.forget();
  }

  forgetUnchanged(): void {
    for (const { key, isChanged } of this.#entries.values()) if (!isChanged) this.#entries.delete(key);
    this.#isAll = false;
  }

  forget(): void {
    this.#entries.clear();
    this.#changed = [];
    this.#isAll = false;
  }
}
