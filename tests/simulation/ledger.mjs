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

/** The lives that are over, one a line of a file, each with its seed and what was judged. */
export class Ledger {
  #lives;

  constructor(path, sources) {
    this.path = path;
    this.sources = sources;
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    this.#lives = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  /** Whether this life was lived, by the same sources and judge. */
  has({ seed, days, lights }) {
    return this.#ofNow(SOURCES).some((life) => life.seed === seed && life.days === days && life.lights === lights);
  }

  note(life) {
    const line = { at: new Date().toISOString(), ...life, ...this.sources };
    this.#lives.push(line);
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
  }

  /** What was lived of this engine, summed by the size of the city. */
  sum() {
    const lives = this.#ofNow(ENGINE);
    const sizes = [...new Set(lives.map(({ lights }) => lights))].toSorted((a, b) => a - b);
    const engine = ENGINE.map((path) => `${path} ${this.sources[path]}`).join(", ");
    const told = sizes.map((lights) => {
      const some = lives.filter((life) => life.lights === lights);
      const days = some.filter(({ isWell }) => isWell).reduce((sum, life) => sum + life.days, 0);
      const objections = some.filter(({ isWell }) => !isWell).map(({ seed }) => seed);
      const wrong = objections.length === 0 ? "" : `; objections: seeds ${objections.join(", ")}`;
      return `${some.length} lives: ${days} days (${(days / 365.25).toFixed(2)} years) of ${lights} lights, ${((days * lights) / 365.25).toFixed(1)} light-years${wrong}`;
    });
    return [`Lived at ${engine}:`, ...told].join("\n");
  }

  #ofNow(paths) {
    return this.#lives.filter((life) => paths.every((path) => life[path] === this.sources[path]));
  }
}
