import { open, readFile, type FileHandle } from "node:fs/promises";
import { replaceFile } from "./replace-file";

/** What is to be done to the file, in its order: lines to add, or all that it is to hold. */
type Job = { kind: "append" | "replace"; text: string; done: () => void; failed: (error: unknown) => void };

/**
 * A file of one JSON value a line, which a power cut can only shorten: what was not whole is dropped at the next start.
 * A value is on the disk when its `append` has settled; many that come at once share one write.
 */
export class AppendLog {
  readonly #jobs: Job[] = [];
  #working: Promise<void> | null = null;
  /** A write that failed may have left half a line. */
  #isTorn = false;

  private constructor(
    readonly path: string,
    private file: FileHandle,
  ) {}

  /**
   * Opens or makes the file; `kept` is what it holds, unchecked. Throws where the folder can't be written to; on a full disk
   * what the file holds will do.
   */
  static async open(path: string): Promise<{ log: AppendLog; kept: unknown[] }> {
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    const kept = text.split("\n").flatMap(parsed);
    // Also mends a line that a power cut left without its end.
    const isMended = await replaceFile(path, linesOf(kept)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOSPC") throw error;
        return false;
      },
    );
    const log = new AppendLog(path, await open(path, "a", 0o600));
    log.#isTorn = !isMended;
    return { log, kept };
  }

  /** Rejects where the disk did not take it. */
  append(value: object): Promise<void> {
    return this.#add("append", [value]);
  }

  /** Replaces all that was appended so far. What is appended later comes after it. */
  replace(values: object[]): Promise<void> {
    return this.#add("replace", values);
  }

  /** Closes the file when all is written. */
  async close(): Promise<void> {
    while (this.#working) await this.#working;
    await this.file.close();
  }

  #add(kind: Job["kind"], values: object[]): Promise<void> {
    return new Promise((done, failed) => {
      this.#jobs.push({ kind, text: linesOf(values), done, failed });
      this.#working ??= this.#work();
    });
  }

  async #work(): Promise<void> {
    while (this.#jobs.length > 0) {
      const replacing = this.#jobs.findIndex(({ kind }) => kind === "replace");
      const many = replacing === 0 ? 1 : replacing === -1 ? this.#jobs.length : replacing;
      const jobs = this.#jobs.splice(0, many);
      const text = jobs.map((job) => job.text).join("");
      try {
        await (replacing === 0 ? this.#replace(text) : this.#append(text));
        this.#isTorn = false;
        jobs.forEach(({ done }) => done());
      } catch (error) {
        this.#isTorn = true;
        jobs.forEach(({ failed }) => failed(error));
      }
    }
    this.#working = null; // at once: who was just told that it is done may add the next
  }

  async #append(text: string): Promise<void> {
    await this.file.appendFile((this.#isTorn ? "\n" : "") + text);
    await this.file.datasync();
  }

  async #replace(text: string): Promise<void> {
    await replaceFile(this.path, text);
    const old = this.file;
    this.file = await open(this.path, "a", 0o600);
    await old.close();
  }
}

function linesOf(values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
