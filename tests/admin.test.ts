import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { hashCode } from "#worker/auth/one-time-code";
import { verifyPassword } from "#worker/auth/password";
import { admin } from "../worker/local/admin.mjs";
import { withDatabase } from "../worker/local/database.mjs";
import { runWrangler } from "../worker/local/wrangler.mjs";
import { aDeployment } from "./support/a-deployment";
import { migrateAtOnce } from "./support/migrate";

const state_dir = mkdtempSync(join(tmpdir(), "lamplighter-admin-test-"));
const EMAIL = "o'brien@city.example";
const ORG = "Saint John's; DROP TABLE users;--";

// As it is called, once; the others call it in this process, which is quicker.
beforeAll(
  () => fromCommandLine(["--email", "O'Brien@City.example", "--org", ORG], "a long enough passphrase\n"),
  60_000,
);
afterAll(() => rmSync(state_dir, { recursive: true, force: true }));

test("creates the first admin and the organization, whatever characters their names have", async () => {
  const [row] = await query(
    "SELECT u.*, m.role, o.name FROM users u JOIN org_memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.org_id",
  );
  expect(row).toMatchObject({ email: EMAIL, role: "org_admin", name: ORG });
  expect(await verifyPassword("a long enough passphrase", String(row?.["password_hash"]))).toBe(true);
}, 60_000);

test("changes only the password when run again; a member of another organization keeps theirs", async () => {
  await ran(["--email", EMAIL, "--org", ORG], "a second passphrase");
  await ran(["--email", EMAIL, "--org", "Harbor"], "a third passphrase");
  const [row, ...more] = await query(
    "SELECT password_hash, (SELECT count(*) FROM organizations) AS orgs, (SELECT count(*) FROM org_memberships) AS memberships FROM users",
  );
  expect(more).toEqual([]);
  expect(row).toMatchObject({ orgs: 2, memberships: 2 });
  expect(await verifyPassword("a second passphrase", String(row?.["password_hash"]))).toBe(true);
}, 60_000);

test("a city whose name is typed in other letters is that city, and not a second, empty one", async () => {
  await ran(["--email", "second@city.example", "--org", ORG.toUpperCase()], "a fourth passphrase");
  const found = await query(
    "SELECT o.name FROM org_memberships m JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.org_id WHERE u.email = 'second@city.example'",
  );
  expect(found).toEqual([{ name: ORG }]);
  await query("DELETE FROM users WHERE email = 'second@city.example'");
}, 60_000);

test("recovers a lost account: removes its password and second factor and prints a code for its owner", async () => {
  await query(
    "INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) SELECT id, 'v1.x', '2026-01-01T00:00:00.000Z' FROM users",
  );
  const output = await ran(["--recover", "O'Brien@City.example"]);
  const [row] = await query(
    "SELECT password_hash, (SELECT count(*) FROM second_factors) AS factors, (SELECT code_hash FROM one_time_codes) AS code_hash FROM users",
  );
  expect(row).toEqual({ password_hash: "", factors: 0, code_hash: hashCode(codeIn(output)) });
  await expect(ran(["--recover", "nobody@city.example"])).rejects.toThrow("Nobody has the e-mail nobody@city.example.");
}, 60_000);

test.each([
  [["--recover", EMAIL, "--org", "City"], "", "Usage:"],
  [["--email", EMAIL, "--org", "City"], "passwordpassword", "This password is too common"],
  [["--email", EMAIL, "--org", "City"], "o'brien@city.example", "This password is too close to your e-mail"],
  [["--email", "nobody", "--org", "City"], "a long enough passphrase", "Usage:"],
  // With these nobody could sign in.
  [["--email", "you@intranet", "--org", "City"], "a long enough passphrase", "Please enter a valid email address"],
  [["--email", `${"y".repeat(250)}@x.org`, "--org", "City"], "a long enough passphrase", "Please enter a valid email"],
  [["--email", EMAIL], "a long enough passphrase", "Usage:"],
  [["--email", EMAIL, "--org", "City", "--force"], "a long enough passphrase", "Usage:"],
  [["--email", EMAIL, "--org", "City", "--env", "staging"], "a long enough passphrase", "Usage:"],
  [["--email", EMAIL, "--org", "City", "--remote"], "a long enough passphrase", "production has no database yet"],
  [["--email", EMAIL, "--org", "City", "--remote", "--env", "x"], "a long enough passphrase", "not 'x'"],
  [["--email", EMAIL, "--org", "City"], "too short", "12 to 128 characters"],
  [["--email", EMAIL, "--org", "City"], "", "12 to 128 characters"],
])("refuses %j with the password '%s' with a message", async (args: string[], password, sentence) => {
  await expect(ran(args, password)).rejects.toThrow(sentence);
});

test("prints a refusal without a stack, and fails", async () => {
  const { code, output } = await fromCommandLine(["--email", "nobody"], "");
  expect(code).toBe(1);
  expect(output).toMatch(/^Usage:/);
  expect(output).not.toContain("    at ");
});

test("writes to the deployment that --env names, by its database's clock", async () => {
  const { config, run, folder, remove } = aDeployment();
  const remote = ["--remote", "--env", "staging", "--config", config];
  try {
    await expect(ran(["--recover", EMAIL, ...remote], "", run)).rejects.toThrow(
      "Nothing was changed: the database has no tables yet. `npm run deploy -- --env staging` makes them.",
    );
    await withDatabase(folder, migrateAtOnce, config);
    await ran(["--email", EMAIL, "--org", ORG, ...remote], "a long enough passphrase", run);
    vi.useFakeTimers({ now: Date.UTC(2001, 0), toFake: ["Date"] });
    const output = await ran(["--recover", EMAIL, ...remote], "", run);
    vi.useRealTimers();
    const [row] = await query(
      "SELECT code_hash, unixepoch(expires_at) - unixepoch() AS left_sec FROM one_time_codes",
      folder,
      config,
    );
    expect(row?.["code_hash"]).toBe(hashCode(codeIn(output)));
    expect(Math.round(Number(row?.["left_sec"]) / 3600)).toBe(72);
    await expect(ran(["--recover", "nobody@city.example", ...remote], "", run)).rejects.toThrow(
      "Nobody has the e-mail",
    );
  } finally {
    vi.useRealTimers();
    remove();
  }
}, 60_000);

test("says what to do where Cloudflare does not know who asks", async () => {
  const { config, run, remove } = aDeployment(() => ({ code: 1, output: "Authentication error [code: 10000]" }));
  const asked = ran(["--recover", EMAIL, "--remote", "--config", config], "", run);
  await expect(asked).rejects.toThrow(/nothing was changed:\nCloudflare does not know who asks: `npx wrangler login`/);
  remove();
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "stopped by %s, leaves no statement on the disk",
  async (signal) => {
    const { config, folder, remove } = aDeployment();
    const scratch = join(folder, "scratch");
    mkdirSync(scratch);
    const script = `
    import { admin } from "./worker/local/admin.mjs";
    const run = () => (console.log("asked"), new Promise((done) => setTimeout(done, 60_000)));
    await admin(["--recover", "${EMAIL}", "--remote", "--config", ${JSON.stringify(config)}], { run });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, TMPDIR: scratch },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk) => (said += String(chunk)));
    await once(child.stdout, "data");
    const before = readdirSync(scratch).filter((name) => name.startsWith("lamplighter-admin-"));
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(before).toHaveLength(1);
    expect(readdirSync(scratch).filter((name) => name.startsWith("lamplighter-admin-"))).toEqual([]);
    expect(said).toContain("Whether the database was changed is not known: run the same again.");
    expect(code).toBe(1);
    remove();
  },
  60_000,
);

function query(sql: string, folder = state_dir, config?: string): Promise<Record<string, unknown>[]> {
  return withDatabase(folder, async (d1) => (await d1.prepare(sql).all()).results, config);
}

function codeIn(output: string): string {
  return /([a-z2-9]{4}-){3}[a-z2-9]{4}/.exec(output)?.[0] ?? "";
}

/** What it printed. */
async function ran(args: string[], password = "", run = runWrangler): Promise<string> {
  const lines: string[] = [];
  const ask = () => Promise.resolve(password);
  await admin(args, { state_dir, ask, run, print: (line) => lines.push(line) });
  return lines.join("\n");
}

function fromCommandLine(args: string[], input: string): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, STATE_DIR: state_dir, WRANGLER_SEND_METRICS: "false", WRANGLER_LOG: "log" };
  const child = spawn(process.execPath, ["worker/local/admin.mjs", ...args], { env });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}
