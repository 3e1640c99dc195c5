import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** What a life is a proof of: the engine's sources, as git names them, and what judged it. */
const SOURCES = ["durable", "app/domain", "tests/simulation"];
/** A life is a proof of these, whoever judged it. */
const ENGINE = ["durable", "app/domain"];

/** The sources as they are committed; throws where they are not. */
export function sourcesNow() {
  const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--", ...SOURCES);
  if (changed !== "") throw new Error(`A ledger is of what is committed, and this is not:\n${changed}`);
  const trees = Object.fromEntries(SOURCES.map((path) => [path, git("rev-parse", "--short=12", `HEAD:${path}`)]));
  return { commit: git("rev-parse", "--short=12", "HEAD"), ...trees };
}

/** Whether the sources are these still, and committed. */
export function isSame(sources) {
  try {
    const now = sourcesNow();
    return SOURCES.every((path) => now[path] === sources[path]);
  } catch {
    return false;
  }
}

/** '1-3,7' as the numbers that it names; null where it is none. */
export function seedsIn(text) {
  const seeds = [];
  for (const part of text.split(",")) {
    const [, first = "", last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (Number(first) < 1 || Number(last) < Number(first)) return null;
    for (let seed = Number(first); seed <= Number(last); seed += 1) seeds.push(seed);
  }
  return seeds;
}

/**
 * The lives that are over, one a line of a file, each with its seed and what was judged. Several processes may write to one
 * file; several files are summed as one.
 */
export class Ledger {
  #lives = [];
  /** Half a line, as of a process that was killed while it wrote. */
  #unread = 0;

  /** `paths`: what is noted goes to the first. */
  constructor(paths, sources) {
    [this.path] = paths;
    this.sources = sources;
    for (const path of paths) this.#read(path);
  }

  #read(path) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    for (const line of text.split("\n").filter((some) => some !== "")) {
      try {
        this.#lives.push({ story: "life", ...JSON.parse(line) });
      } catch {
        this.#unread += 1;
      }
    }
  }

  /** Whether this life was lived, by the same sources and judge. */
  has(life) {
    return this.#ofNow(SOURCES).some((other) => keyOf(other) === keyOf(life));
  }

  note(life) {
    const line = { at: new Date().toISOString(), ...life, ...this.sources };
    this.#lives.push(line);
    const isWhole = !existsSync(this.path) || /(^|\n)$/.test(readFileSync(this.path, "utf8"));
    appendFileSync(this.path, `${isWhole ? "" : "\n"}${JSON.stringify(line)}\n`);
  }

  /** What was lived of this engine, each life once, summed by the story and the size of the city. */
  sum() {
    const all = this.#ofNow(ENGINE);
    // One that was lived again is what it was when it was last judged.
    const byKey = new Map(all.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map((life) => [keyOf(life), life]));
    const lives = [...byKey.values()];
    const kinds = [...new Map(lives.map(({ story, lights }) => [`${story} ${lights}`, { story, lights }])).values()];
    const sorted = kinds.toSorted((a, b) => (a.story === b.story ? a.lights - b.lights : a.story < b.story ? -1 : 1));
    const engine = ENGINE.map((path) => `${path} ${this.sources[path]}`).join(", ");
    const told = sorted.map(({ story, lights }) => {
      const some = lives.filter((life) => life.lights === lights && life.story === story);
      const days = some.filter(({ isWell }) => isWell).reduce((sum, life) => sum + life.days, 0);
      const objections = some.filter(({ isWell }) => !isWell).map(({ seed }) => seed);
      const wrong = objections.length === 0 ? "" : `; objections: seeds ${objections.join(", ")}`;
      return `${story}: ${some.length} lives: ${days} days (${(days / 365.25).toFixed(2)} years) of ${lights} lights, ${((days * lights) / 365.25).toFixed(1)} light-years${wrong}`;
    });
    const others = this.#lives.length - all.length;
    if (others > 0) told.push(`${others} lives of other sources are not counted.`);
    if (this.#unread > 0) told.push(`${this.#unread} lines could not be read, and are not counted.`);
    return [`Lived at ${engine}:`, ...told].join("\n");
  }

  #ofNow(paths) {
    return this.#lives.filter((life) => paths.every((path) => life[path] === this.sources[path]));
  }
}

function keyOf({ story, seed, days, lights }) {
  return [story, seed, days, lights].join(" ");
}
