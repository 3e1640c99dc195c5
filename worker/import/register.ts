/** A record that is here, or that a row has made; `row` is the one that is about it. */
export type Known<R> = { record: R; row: number | null };

export type Match<R> =
  | { kind: "found"; known: Known<R> }
  | { kind: "none" }
  /** Another row is about it already. */
  | { kind: "taken"; row: number }
  /** So many have this name, and none of them is as the row says. */
  | { kind: "many"; count: number };

/** Names are compared as people read them: without case, and with any white space. */
export function folded(name: string): string {
  return name.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}

/** Those that are written exactly so, or else those whose name differs in case or white space. */
export function byExactName<R extends { name: string }>(candidates: Known<R & { id: string }>[], name: string) {
  const exact = candidates.filter(({ record }) => record.name === name);
  return exact.length > 0 ? exact : candidates;
}

/** The records by some name of theirs. Each is claimed by one row of the file at most. */
export class Register<R extends { id: string }> {
  readonly #by = new Map<string, Known<R>[]>();

  constructor(
    /** Null where the record has no such name. */
    readonly keyOf: (record: R) => string | null,
    known: Known<R>[] = [],
  ) {
    for (const one of known) this.add(one);
  }

  add(known: Known<R>): void {
    const key = this.keyOf(known.record);
    if (key === null) return;
    const entries = this.#by.get(key);
    if (entries) entries.push(known);
    else this.#by.set(key, [known]);
  }

  all(key: string): Known<R>[] {
    return this.#by.get(key) ?? [];
  }
}

/**
 * The record that a row is about, among the candidates: the only one, or of several the one that is as the row says.
 * What another row has claimed is no candidate any more.
 */
export function matchOf<R extends { id: string }>(candidates: Known<R>[], isSame: (record: R) => boolean): Match<R> {
  const free = candidates.filter(({ row }) => row === null);
  const same = candidates.length > 1 ? free.find(({ record }) => isSame(record)) : undefined;
  if (same) return { kind: "found", known: same };
  const [only] = free;
  if (only && candidates.length === 1) return { kind: "found", known: only };
  if (free.length > 0) return { kind: "many", count: candidates.length };
  const [taken] = candidates;
  return taken?.row ? { kind: "taken", row: taken.row } : { kind: "none" };
}
