import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SECRET } from "./a-site";

const run = promisify(execFile);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplighter-technician-"));
  await run(process.execPath, ["worker/local/agent.mjs"]);
}, 120_000);
afterEach(() => rm(folder, { recursive: true }));

/** A command of the small computer that a test can't have: it does what the text says instead. */
async function standIn(name: string, script: string): Promise<void> {
  const path = join(folder, "bin", name);
  await mkdir(join(folder, "bin"), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

test("the technician's commands work word for word, in a clean folder", async () => {
  const readme = await readFile("worker/agent/README.md", "utf8");
  const [, block = ""] = /On the small computer[^`]*(?:`[^`]*`[^`]*)*?```\n([^`]+)```/.exec(readme) ?? [];
  const commands = block
    .trim()
    .split("\n")
    .map((line) => line.trim());
  expect(commands).toHaveLength(5);

  await standIn("sudo", '[ "$1" = -E ] && shift; exec "$@"');
  await standIn("apt-get", '[ "$*" = "install -y nodejs" ]');
  await standIn(
    "curl",
    `case "$*" in
      "-fsSL https://deb.nodesource.com/setup_22.x") echo true;;
      "-fO https://lights.city.gov/agent/agent.mjs") cp ${resolve("build/agent/agent.mjs")} .;;
      *) exit 22;;
    esac`,
  );
  const home = join(folder, "home");
  await mkdir(home);
  const typed = run("sh", ["-e", "-c", commands.join("\n")], {
    cwd: home,
    env: { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, DESTDIR: folder },
  });
  typed.child.stdin?.end(`${SECRET}\n`);
  const { stdout } = await typed;

  const { sha256 } = JSON.parse(await readFile("build/agent/agent.json", "utf8"));
  expect(stdout).toContain(`${sha256}  agent.mjs`);
  expect(stdout).toContain("Installed /usr/local/lib/lamplighter-agent/agent.mjs");
  const config = join(folder, "etc/lamplighter-agent.json");
  expect((await stat(config)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(config, "utf8"))).toMatchObject({ url: "lights.city.gov", secret: SECRET });
});
