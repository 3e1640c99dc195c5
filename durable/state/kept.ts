/**
 * The object's SQLite as the engine has it: with `kept`, rows that are asked for over and over stay in memory. Without,
 * every question and every change goes to the tables at once.
 */
export type Store = SqlStorage & { readonly kept?: Kept };

/** The rows of one table. */
type Member = { write: () => void; trim: () => void; forgetUnchanged: () => void; forget: () => void };

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

  /** Whether a part runs, and what is changed is to be noted as how to undo it. */
  get isUndoable(): boolean {
    return this.#part !== "none";
  }

  noteUndo(undo: () => void): void {
    if (this.isUndoable) this.#undo.push(undo);
  }

  #undoTo(mark: number): void {
    for (const undo of this.#undo.splice(mark).toReversed()) undo();
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
