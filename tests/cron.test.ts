import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** More lines than fit between the runtime and who reads its log. */
const LINES = 3_000;
const WORKER = `
const talk = () => { for (let n = 0; n < ${LINES}; n += 1) console.log("line", n); };
export default {
  fetch: () => new Response("a page"),
  scheduled({ cron }) {
    talk();
    if (cron !== "0 * * * *") throw new Error("no such cron");
  },
};
`;

/** In a process of its own: one that stands still cannot end its test. */
const PROCESS = `
import { Miniflare } from "miniflare";
import { withCrons } from "./worker/local/cron.mjs";
import { endRuntimesWithThisProcess } from "./worker/local/runtime-end.mjs";
import { runtimeOptions } from "./worker/local/runtime.mjs";

endRuntimesWithThisProcess();
let lines = 0;
const modules = [{ type: "ESModule", path: process.cwd() + "/entry.js", contents: ${JSON.stringify(WORKER)} }];
const { worker, ring } = withCrons({ name: "talker", modulesRoot: process.cwd(), compatibilityDate: "2026-01-01", modules });
const miniflare = new Miniflare({
  ...runtimeOptions({ port: 0, state_dir: "unused", worker, log: () => { lines += 1; } }),
  defaultPersistRoot: undefined,
});
const url = await miniflare.ready;
await ring(miniflare, "0 * * * *");
const failed = await ring(miniflare, "* * * * *").catch((error) => error.message);
const page = await (await fetch(url, { headers: { "X-Cron": "0 * * * *", "X-Cron-Token": "guessed" } })).text();
while (lines < 2 * ${LINES}) await new Promise((done) => setTimeout(done, 10));
await miniflare.dispose();
console.log(JSON.stringify({ lines, failed, page }));
`;

test("crons are rung by this process only, however much the worker has to say meanwhile", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", PROCESS], {
    env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: "false" },
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  expect(JSON.parse(stdout)).toEqual({ lines: 2 * LINES, failed: "Error: no such cron", page: "a page" });
});
