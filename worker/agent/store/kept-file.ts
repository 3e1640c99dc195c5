import { readFile } from "node:fs/promises";
import type { z } from "zod";
import { replaceFile } from "./replace-file";

/** One value in a file of its own. What can't be read any more counts as never kept. */
export class KeptFile<T> {
  #waiting: { value: T; done: Promise<void> } | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private readonly schema: z.ZodType<T>,
  ) {}

  async read(): Promise<T | null> {
    try {
      return this.schema.safeParse(JSON.parse(await readFile(this.path, "utf8"))).data ?? null;
    } catch {
      return null;
    }
  }

  /** Settles when the value is on the disk, or a newer one in its place; rejects where the disk did not take it. */
  save(value: T): Promise<void> {
    if (this.#waiting) {
      this.#waiting.value = value;
      return this.#waiting.done;
    }
    const waiting = { value, done: Promise.resolve() };
    this.#waiting = waiting;
    waiting.done = this.#writing.then(() => {
      this.#waiting = null;
      return replaceFile(this.path, JSON.stringify(waiting.value));
    });
    this.#writing = waiting.done.catch(() => undefined);
    return waiting.done;
  }
}
