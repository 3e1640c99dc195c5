// npm run release:keep
// Keeps this version for the tests of those that follow: its code, its agent's program, and the state of a city that it
// has lived in, as tests/releases/VERSION. It takes five minutes, and is done once, before a version is tagged.
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { load } from "../../worker/local/typescript.mjs";
import { commandLine } from "../support/command-line.mjs";

commandLine({});
const { version } = JSON.parse(await readFile("package.json", "utf8"));
const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
const { bundleWorker } = await load("tests/releases/bundle.ts");
const { aLivingCity, KEPT_AT } = await load("tests/releases/living.ts");
const { buildAgent } = await import("../../worker/local/build.mjs");

const code = await bundleWorker();
await buildAgent();
const { token, state, files } = await aLivingCity(code);
const folder = join("tests/releases", version);
await mkdir(folder, { recursive: true });
const release = { version, commit, at: new Date(KEPT_AT).toISOString(), token };
await writeFile(join(folder, "release.json"), `${JSON.stringify(release, null, 2)}\n`);
await keep("worker.js", code);
await keep("agent.mjs", await readFile("build/agent/agent.mjs", "utf8"));
await keep("d1.json", JSON.stringify(state.d1));
await keep("objects.json", JSON.stringify(state.objects));
await keep("agent-files.json", JSON.stringify(files));
process.exit(0);

async function keep(name, text) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const small = brotliCompressSync(text, { params });
  await writeFile(join(folder, `${name}.br`), small);
  console.log(`${name}: ${text.length} characters, ${small.length} bytes kept`);
}
