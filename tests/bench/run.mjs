// npm run bench -- --only storm,toggles --lights 10000 --json now.json --compare before.json
// What a city of ten thousand lights costs, beside a floor and peers of the same run: a table, and JSON with --json. Nothing is
// asserted: the machine is what it is, and only figures of one run compare well.
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { commandLine, requireWritable } from "../support/command-line.mjs";
import { compare, print } from "./table.mjs";

/** What is measured, in this order; each answers its rows. */
const GROUPS = {
  storm: () => import("./storm-rows.mjs"),
  toggles: () => import("./toggles.mjs"),
  watchdog: () => import("./watchdog.mjs"),
  plan: () => import("./plan.mjs"),
  occurrences: () => import("./occurrences.mjs"),
  pages: () => import("./pages.mjs"),
  devices: () => import("./devices-page.mjs"),
  live: () => import("./live.mjs"),
};

const { values } = commandLine({
  options: {
    only: { type: "string", default: Object.keys(GROUPS).join(",") },
    lights: { type: "string", default: "10000" },
    patience: { type: "string", default: "120" },
    json: { type: "string" },
    compare: { type: "string" },
  },
});
const groups = values.only.split(",");
const unknown = groups.filter((name) => !Object.hasOwn(GROUPS, name));
const options = { lights: Number(values.lights), patience_ms: Number(values.patience) * 1_000 };
if (unknown.length > 0 || !Object.values(options).every((n) => n > 0)) {
  console.error(
    `--only takes ${Object.keys(GROUPS).join(", ")}; --lights and --patience (seconds) are numbers above 0.`,
  );
  process.exit(2);
}
const before = values.compare === undefined ? null : await earlier(values.compare);
if (values.json !== undefined) requireWritable(values.json);

const rows = [];
const failed = [];
for (const name of groups) {
  console.error(`${name} ...`);
  try {
    const { measure } = await GROUPS[name]();
    rows.push(...(await measure(options)).map((row) => ({ group: name, ...row })));
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(resultNow(), null, 2)}\n`);
  } catch (error) {
    failed.push(name); // the others took minutes, and are worth their figures
    console.error(error);
  }
}
const result = resultNow();
print(before === null ? result : compare(result, before));
if (failed.length > 0) console.error(`Not measured: ${failed.join(", ")}`);
process.exit(failed.length > 0 ? 1 : 0);

/** What an earlier run has measured. A file that cannot be read is told before minutes are spent on this one. */
async function earlier(file) {
  try {
    const result = JSON.parse(await readFile(file, "utf8"));
    compare({ rows: [] }, result);
    return result;
  } catch {
    console.error(`--compare takes what an earlier run wrote with --json: ${file} cannot be read.`);
    process.exit(2);
  }
}

/** What has been measured so far; a group that hangs or is stopped leaves the others'. */
function resultNow() {
  const machine = `${availableParallelism()} x ${cpus()[0].model}`;
  return { at: new Date().toISOString(), machine, options, rows };
}
