import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireNode, ROOT } from "../worker/local/command.mjs";

test.each(["18.20.8", "20.10.0", "20.18.3"])("a command says that Node %s is too old", (version) => {
  expect(() => requireNode(version)).toThrow(`Lamplighter needs Node 20.19 or newer; this is Node ${version}.`);
});

test.each(["20.19.0", "22.0.0", "24.11.1"])("Node %s will do", (version) => {
  expect(() => requireNode(version)).not.toThrow();
});

test.each(["stopwatch/run", "pictures/run", "figures/run", "releases/keep"])(
  "%s refuses an option that it does not know before it begins",
  async (name) => {
    const said = await new Promise((resolve) =>
      execFile(process.execPath, [`tests/${name}.mjs`, "--only"], { cwd: ROOT, timeout: 20_000 }, (error, _, stderr) =>
        resolve({ code: error?.code, stderr }),
      ),
    );
    expect(said).toEqual({ code: 2, stderr: expect.stringContaining("Unknown option '--only'") });
  },
);

/** What a command that ends at once says, and with which code. */
function refusalOf(...args: string[]): Promise<unknown> {
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: ROOT, timeout: 20_000 }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    ),
  );
}

test.each([
  ["crash", "It takes --kills, --seed.\n"],
  ["soak", "It takes --minutes, --lights, --seed.\n"],
  ["figures", "It takes no options.\n"],
])("%s says of an option that it does not know which ones it takes", async (name, takes) => {
  expect(await refusalOf(`tests/${name}/run.mjs`, "--help")).toEqual({
    code: 2,
    stderr: expect.stringMatching(new RegExp(`^Unknown option '--help'.*\n${takes}$`)),
  });
});

test.each([
  ["a suite that there is not", ["toString"]],
  ["two suites", ["domain", "durable"]],
  ["a sample that is no number", ["domain", "--sample", "many"]],
  ["no minutes", ["domain", "--minutes", "0"]],
])("mutate refuses %s before it begins", async (_, args) => {
  expect(await refusalOf("tests/mutation/run.mjs", ...args)).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^npm run mutate -- domain \| /),
  });
});

test("the server refuses a port as an option, and says where it is set", async () => {
  const said = await new Promise((resolve) =>
    execFile(
      process.execPath,
      ["worker/local/start.mjs", "--port", "9000"],
      // Never serves, should it begin after all.
      { cwd: ROOT, timeout: 20_000, env: { ...process.env, PORT: "none" } },
      (error, _, stderr) => resolve({ code: error?.code, stderr }),
    ),
  );
  expect(said).toEqual({
    code: 1,
    stderr: expect.stringContaining("'--port' is no option. The environment says the port"),
  });
});

test("the agent's build refuses an option, of which it has none", async () => {
  const said = await new Promise((resolve) =>
    execFile(process.execPath, ["worker/local/agent.mjs", "--out", "x"], { cwd: ROOT }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    ),
  );
  expect(said).toEqual({ code: 1, stderr: "'--out' is no option: the file is always build/agent/agent.mjs.\n" });
});

test("the bench says before it begins that there is no figure to compare with, and how one is made", async () => {
  const compared = ["tests/bench/run.mjs", "--only", "occurrences", "--compare", "no-such-figures.json"];
  const said = await new Promise((resolve) =>
    execFile(process.execPath, compared, { cwd: ROOT, timeout: 20_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout, stderr }),
    ),
  );
  expect(said).toEqual({
    code: 2,
    stdout: "",
    stderr: "--compare takes what an earlier run wrote with --json: no-such-figures.json cannot be read.\n",
  });
});

test("the bench says before it begins that it cannot compare with a file of something else", async () => {
  expect(await refusalOf("tests/bench/run.mjs", "--only", "occurrences", "--compare", "package.json")).toEqual({
    code: 2,
    stderr: "--compare takes what an earlier run wrote with --json: package.json cannot be read.\n",
  });
});

test.each([
  ["bench", ["--only", "occurrences", "--json", "no/such/folder/now.json"]],
  ["mutation", ["domain", "--only", "nothing", "--json", "no/such/folder/now.json"]],
  ["simulation", ["--ledger", "no/such/folder/now.json"]],
  ["simulation", ["--ledger", "tests"]],
])("%s says before it begins that it cannot write where %j says", async (name, args) => {
  expect(await refusalOf(`tests/${name}/run.mjs`, ...args)).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^(no\/such\/folder\/now\.json|tests) cannot be written to: E[A-Z]+\b.*\n$/),
  });
});

test("a command that is run by a link to the project does its work", async () => {
  const scratch = await mkdtemp(join(tmpdir(), "lamplighter-link-"));
  try {
    await symlink(ROOT, join(scratch, "city"));
    const command = join(scratch, "city/worker/local/release-notes.mjs");
    const said = await new Promise((resolve) =>
      execFile(process.execPath, [command, "none"], { cwd: ROOT }, (error, _, stderr) =>
        resolve({ code: error?.code, stderr }),
      ),
    );
    expect(said).toEqual({ code: 1, stderr: expect.stringContaining("The tag is 'none'") });
  } finally {
    await rm(scratch, { recursive: true });
  }
});
