import { z } from "zod";
import { logEntry, type AgentLogEntry } from "#domain/agent/frames";
import { AppendLog } from "./append-log";

const line = z.union([z.object({ next: z.number().int().positive() }), logEntry]);

const MOST_ENTRIES = 10_000;

/**
 * What was done and seen while the city was away, until the city has it. A number is never used twice, or the city would
 * take the entry for known. The file may be new, or as old as the copy from which the card was written anew, so each start
 * goes on no lower than the time in seconds: higher than any that was reached one by one.
 */
export class LogRing {
  private constructor(
    private readonly log: AppendLog,
    private entries: AgentLogEntry[],
    private next: number,
  ) {}

  /** `now` is epoch ms. */
  static async open(path: string, now: number): Promise<LogRing> {
    const { log, kept } = await AppendLog.open(path);
    const lines = kept.flatMap((value) => line.safeParse(value).data ?? []);
    const entries = lines.flatMap((value) => ("next" in value ? [] : [value]));
    const numbers = lines.map((value) => ("next" in value ? value.next : value.n + 1));
    return new LogRing(log, entries, Math.max(1, Math.floor(now / 1_000), ...numbers));
  }

  /** The number of the oldest entry; null where there is none. */
  get from(): number | null {
    return this.entries[0]?.n ?? null;
  }

  get all(): AgentLogEntry[] {
    return this.entries;
  }

  /**
   * Adds an entry; what was only seen makes way for what was done. Settles when it is on the disk, or the disk failed.
   * Rejects what the city would not take: it would hang up at it, each time anew.
   */
  async add(given: Omit<AgentLogEntry, "n">): Promise<AgentLogEntry> {
    const entry = logEntry.parse({ ...given, n: this.next });
    this.next += 1;
    this.entries.push(entry);
    if (this.entries.length > MOST_ENTRIES) {
      const seen = this.entries.findIndex(({ kind }) => kind === "state");
      this.entries.splice(Math.max(0, seen), 1);
      if (entry.n % 1_000 === 0) await this.#rewrite();
    }
    await this.log.append(entry).catch(() => undefined);
    return entry;
  }

  /** The city has all entries up to this one. */
  async acknowledge(upto: number): Promise<void> {
    this.entries = this.entries.filter(({ n }) => n > upto);
    await this.#rewrite();
  }

  close(): Promise<void> {
    return this.log.close();
  }

  async #rewrite(): Promise<void> {
    await this.log.replace([{ next: this.next }, ...this.entries]).catch(() => undefined);
  }
}
