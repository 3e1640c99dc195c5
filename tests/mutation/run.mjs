// npm run mutate -- domain | durable | providers [--only command,timers] [--sample 400] [--seed 1] [--minutes 20] [--json out.json]
// Changes one thing in the code at a time and asks whether a test notices. All mutants are in one build; one vitest
// process goes through them (loop.test.ts), each time with modules loaded anew and only the tests that reach the
// mutant, until the first one fails. A process that hangs is killed, and its mutant counts as found.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { commandLine, requireWritable } from "../support/command-line.mjs";
import { instrument } from "./instrument.mjs";
import { interval } from "./interval.mjs";
import { SUITES } from "./suites.mjs";

const { values, positionals } = commandLine({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "600" },
    json: { type: "string" },
  },
});
const [project, ...others] = positionals;
const [seed, minutes, most = Infinity] = [values.seed, values.minutes, values.sample].map((n) => n && Number(n));
if (!Object.hasOwn(SUITES, project) || others.length > 0 || !(seed >= 0 && minutes > 0 && most > 0)) {
  console.error(
    `npm run mutate -- ${Object.keys(SUITES).join(" | ")} [--only file,file] [--sample N] [--seed N] [--minutes N] [--json FILE]`,
  );
  process.exit(2);
}
if (values.json) requireWritable(values.json);
const suite = SUITES[project];

/** A test may take this long under a mutant, over the time it took without. */
const patience = (ms) => 10_000 + 5 * ms;
/** An endless loop over mutated code throws after this many runs of it, given how many it takes without the mutant. */
const mostHits = (hits) => 3 * hits + 100_000;

const scratch = await mkdtemp(join(tmpdir(), "lamplighter-mutants-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true })); // also where it is stopped
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const mutants = await build();
let chosen = sample(mutants, Math.min(most, mutants.length), seed);
console.log(`${mutants.length} mutants, ${chosen.length} of them chosen`);

const { reached, tests } = await cover();
await judge();
report();
if (values.json) await writeFile(values.json, JSON.stringify(chosen, null, 1));

async function build() {
  const only = values.only?.split(",");
  const files = suite.mutate().filter((file) => !only || only.includes(basename(file, ".ts")));
  if (files.length === 0) fatal("--only names no file of this suite.");
  const { files: built, mutants: all } = await instrument(files);
  for (const { name, content } of built) {
    await mkdir(join(scratch, dirname(name)), { recursive: true });
    await writeFile(join(scratch, name), content);
  }
  return all;
}

/** As many of each file as its share, three at least: the same for the same seed. */
function sample(all, size, seed) {
  const byFile = grouped(all, (mutant) => mutant.file);
  return [...byFile.values()].flatMap((ofFile) => {
    const share = Math.max(3, Math.round((size * ofFile.length) / all.length));
    return ofFile.toSorted((a, b) => draw(a.id, seed) - draw(b.id, seed)).slice(0, share);
  });
}

function draw(id, seed) {
  let t = Math.imul(Number(id) + 1, 0x6d2b79f5) ^ Math.imul(seed + 1, 0x9e3779b1);
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return (t ^ (t >>> 14)) >>> 0;
}

/** Runs every test once, by itself and unmutated: how long it takes, and which mutants it reaches. */
async function cover() {
  const files = suite.tests();
  const seen = new Map();
  const known = [];
  await loop(
    files.map((file) => ({ kind: "cover", file, slow: String(suite.slow ?? "^$"), patience_ms: 600_000 })),
    (job, answer) => {
      if (!answer) throw new Error(`${job.file} did not end`);
      for (const { index, name, ms, failure, hits } of answer.tests) {
        if (failure) throw new Error(`${job.file}: '${name}' fails without a mutant: ${failure}`);
        const test = { file: job.file, index, name, ms };
        known.push(test);
        for (const [id, count] of Object.entries({ ...answer.on_load, ...hits })) {
          seen.set(id, [...(seen.get(id) ?? []), { test, count }]);
        }
      }
    },
  );
  return { reached: seen, tests: known };
}

async function judge() {
  const jobs = [];
  // In no order, so that a run that is cut short is a sample too.
  chosen.sort((a, b) => draw(a.id, 2) - draw(b.id, 2));
  for (const mutant of chosen) {
    const by = reached.get(mutant.id) ?? [];
    if (by.length === 0) tell(Object.assign(mutant, { status: "not reached" }));
    else jobs.push(jobOf(mutant, by));
  }
  const began = Date.now();
  let done = 0;
  await loop(jobs, (job, answer) => {
    job.mutant.status = answer ? answer.status : "hangs";
    job.mutant.by = answer?.by;
    if (!isFound(job.mutant)) tell(job.mutant);
    done += 1;
    if (Date.now() - began > minutes * 60_000 && jobs.length > 0) {
      jobs.length = 0;
      chosen = chosen.slice(0, chosen.indexOf(job.mutant) + 1);
    }
    if (done % 25 === 0)
      console.log(`${done} done, ${jobs.length} to go, after ${Math.round((Date.now() - began) / 1000)} s`);
  });
}

/** The quick tests first; file by file, since a file is loaded anew for each mutant. */
function jobOf(mutant, by) {
  const files = [...grouped(by, ({ test }) => test.file).values()].map((of) => ({
    file: of[0].test.file,
    tests: of
      .toSorted((a, b) => a.test.ms - b.test.ms)
      .map(({ test: { index, name, ms } }) => ({ index, name, patience_ms: patience(ms) })),
    ms: of.reduce((sum, { test }) => sum + test.ms, 0) / of.length,
  }));
  const hits = by.reduce((sum, { count }) => sum + count, 0);
  return {
    kind: "mutant",
    mutant,
    id: mutant.id,
    files: files.toSorted((a, b) => a.ms - b.ms),
    most_hits: mostHits(hits),
    patience_ms: 60_000,
  };
}

/** Gives the jobs one by one to a vitest process, and the answers to `take`; null is a process that hung. */
async function loop(jobs, take) {
  const waiting = jobs;
  let job = null;
  let watch = null;
  let child = null;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    clearTimeout(watch);
    const answer = body === "" ? null : JSON.parse(body);
    response.setHeader("Connection", "close");
    if (answer?.testing && job) {
      watch = setTimeout(() => end(child), answer.testing + 5_000);
      return void response.end("{}");
    }
    if (answer && job) {
      const ended = job;
      job = null;
      try {
        take(ended, answer);
      } catch (error) {
        fatal(error);
      }
      // What it left behind could disturb the next one.
      if (answer.status === "hangs") return void end(child);
    }
    job = waiting.shift() ?? null;
    if (job) watch = setTimeout(() => end(child), job.patience_ms);
    response.end(JSON.stringify(job ? { ...job, mutant: undefined } : { kind: "end" }));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  process.once("exit", () => end(child));
  while (waiting.length > 0 || job) {
    const left = waiting.length;
    child = vitest(server.address().port);
    await new Promise((exit) => child.on("exit", exit));
    end(child);
    clearTimeout(watch);
    if (job) {
      const lost = job;
      job = null;
      take(lost, null);
    } else if (waiting.length === left) fatal(new Error("vitest asked for nothing; see above"));
  }
  server.close();
}

function vitest(port) {
  const args = ["run", "--config", "tests/mutation/vitest.config.ts", "--project", project];
  const env = {
    ...process.env,
    MUTANTS: scratch,
    MUTANTS_URL: `http://127.0.0.1:${port}`,
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  };
  return spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], {
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
    env,
  });
}

/** With all that it started: a runtime that spins would go on alone. */
function end(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has gone already.
  }
}

function fatal(error) {
  console.error(error);
  process.exit(1);
}

function report() {
  const table = [...grouped(chosen, (mutant) => mutant.file)].map(([file, ofFile]) => ({
    file,
    ...scoreOf(ofFile),
  }));
  console.table([...table, { file: "all", ...scoreOf(chosen) }]);
  const { found, mutants: n } = scoreOf(chosen);
  const [low, high] = interval(found, n);
  console.log(
    `${found} of ${n} mutants found by ${tests.length} tests: ${percent(found / n)}` +
      (chosen.length < mutants.length ? `, 95% between ${percent(low)} and ${percent(high)}` : ""),
  );
}

function tell({ status, file, line, column, mutator, original, replacement }) {
  console.log(`${status}: ${file}:${line}:${column} ${mutator}\n    ${original}\n    ${replacement}`);
}

function scoreOf(of) {
  const found = of.filter(isFound).length;
  const count = (status) => of.filter((mutant) => mutant.status === status).length;
  return {
    mutants: of.length,
    found,
    hangs: count("hangs"),
    survived: count("survived"),
    unreached: count("not reached"),
    share: percent(found / of.length),
  };
}

function isFound({ status }) {
  return status === "found" || status === "hangs";
}

function grouped(of, key) {
  const groups = new Map();
  for (const one of of) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

function percent(share) {
  return `${(share * 100).toFixed(1)}%`;
}
