import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { closeServers, serverThat } from "#tests/support/loopback";

const TOKEN = "hush-hush-hush-hush-hush-hush-hush-hush";
let to = "";

beforeAll(async () => {
  to = await mkdtemp(join(tmpdir(), "lamplighter-operator-door-"));
});
afterAll(() => rm(to, { recursive: true }));
afterEach(closeServers);

/** `npm run backup` of every organization, as it is called. */
async function backup(url: string, token: string) {
  const args = ["worker/local/backup.mjs", "--url", url, "--to", to, "--all"];
  const child = spawn(process.execPath, args, { env: { ...process.env, OPERATOR_TOKEN: token } });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const [code] = await once(child, "close");
  return { code, output };
}

test("a page in place of an answer, as of a network that wants a sign-in first, is told in a sentence", async () => {
  const url = await serverThat((_, answer) => void answer.setHeader("Content-Type", "text/html").end("<p>Welcome"));
  const output = `${url} answers with something else than Lamplighter: is this its address, and no page before it?\n`;
  expect(await backup(url, TOKEN)).toEqual({ code: 1, output });
});

test.each([`${TOKEN}\n${TOKEN}`, `${TOKEN} ${TOKEN}`, `“${TOKEN}”`])(
  "a token that can be none is told without being printed (%j)",
  async (token) => {
    let asked = 0;
    const url = await serverThat((_, answer) => {
      asked += 1;
      answer.writeHead(401).end();
    });
    const output =
      "OPERATOR_TOKEN has something in it that no token has: a space, a line break or a curly quotation mark.\n";
    expect(await backup(url, token)).toEqual({ code: 1, output });
    expect(asked).toBe(0);
  },
);

test("an address with a password in it is refused without being printed", async () => {
  const url = new URL(await serverThat((_, answer) => void answer.end("{}")));
  url.username = "operator";
  url.password = "hush-hush";
  const output = "Give the address without a name and a password in it.\n";
  expect(await backup(url.href, TOKEN)).toEqual({ code: 1, output });
});
