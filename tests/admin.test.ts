import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashCode } from "#worker/auth/one-time-code";
import { verifyPassword } from "#worker/auth/password";
import { withDatabase } from "../worker/local/database.mjs";

const state_dir = mkdtempSync(join(tmpdir(), "lamplighter-admin-test-"));
const EMAIL = "o'brien@city.example";
const ORG = "Saint John's; DROP TABLE users;--";

beforeAll(() => admin(["--email", "O'Brien@City.example", "--org", ORG], "a long enough passphrase\n"), 60_000);
afterAll(() => rmSync(state_dir, { recursive: true, force: true }));

test("creates the first admin and the organization, whatever characters their names have", async () => {
  const [row] = await query(
    "SELECT u.*, m.role, o.name FROM users u JOIN org_memberships m ON m.user_id = u.id JOIN organizations o ON o.id = m.org_id",
  );
  expect(row).toMatchObject({ email: EMAIL, role: "org_admin", name: ORG });
  expect(await verifyPassword("a long enough passphrase", String(row?.["password_hash"]))).toBe(true);
}, 60_000);

test("changes only the password when run again; a member of another organization keeps theirs", async () => {
  expect((await admin(["--email", EMAIL, "--org", ORG], "a second passphrase\n")).code).toBe(0);
  expect((await admin(["--email", EMAIL, "--org", "Harbor"], "a third passphrase\n")).code).toBe(0);
  const [row, ...more] = await query(
    "SELECT password_hash, (SELECT count(*) FROM organizations) AS orgs, (SELECT count(*) FROM org_memberships) AS memberships FROM users",
  );
  expect(more).toEqual([]);
  expect(row).toMatchObject({ orgs: 2, memberships: 2 });
  expect(await verifyPassword("a second passphrase", String(row?.["password_hash"]))).toBe(true);
}, 60_000);

test("recovers a lost account: removes its password and second factor and prints a code for its owner", async () => {
  await query(
    "INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) SELECT id, 'v1.x', '2026-01-01T00:00:00.000Z' FROM users",
  );
  const { code, output } = await admin(["--recover", "O'Brien@City.example"], "");
  expect(code).toBe(0);
  const [printed = ""] = /([a-z2-9]{4}-){3}[a-z2-9]{4}/.exec(output) ?? [];
  const [row] = await query(
    "SELECT password_hash, (SELECT count(*) FROM second_factors) AS factors, (SELECT code_hash FROM one_time_codes) AS code_hash FROM users",
  );
  expect(row).toEqual({ password_hash: "", factors: 0, code_hash: hashCode(printed) });
  const unknown = await admin(["--recover", "nobody@city.example"], "");
  expect(unknown.code).toBe(1);
  expect(unknown.output).toContain("Nobody has the e-mail nobody@city.example.");
}, 60_000);

test.each([
  [["--recover", EMAIL, "--org", "City"], "", "Usage:"],
  [["--email", EMAIL, "--org", "City"], "passwordpassword", "This password is too common"],
  [["--email", EMAIL, "--org", "City"], "o'brien@city.example", "This password is too close to your e-mail"],
  [["--email", "nobody", "--org", "City"], "a long enough passphrase", "Usage:"],
  [["--email", EMAIL], "a long enough passphrase", "Usage:"],
  [["--email", EMAIL, "--org", "City", "--force"], "a long enough passphrase", "Usage:"],
  [["--email", EMAIL, "--org", "City"], "too short", "12 to 128 characters"],
  [["--email", EMAIL, "--org", "City"], "", "12 to 128 characters"],
])("refuses %j with the password '%s' with a message", async (args: string[], password, sentence) => {
  const { code, output } = await admin(args, password);
  expect(code).toBe(1);
  expect(output).toContain(sentence);
  expect(output).not.toContain("    at ");
});

function query(sql: string): Promise<Record<string, unknown>[]> {
  return withDatabase(state_dir, async (d1) => (await d1.prepare(sql).all()).results);
}

function admin(args: string[], input: string): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, STATE_DIR: state_dir, WRANGLER_SEND_METRICS: "false", WRANGLER_LOG: "log" };
  const child = spawn(process.execPath, ["worker/local/admin.mjs", ...args], { env });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}
