import { spawn } from "node:child_process";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { afterEach, expect, test } from "vitest";
import { closeServers, serverThat } from "#tests/support/loopback";
import { smoke } from "../worker/local/smoke.mjs";

const CHECKS = 6;
afterEach(() => {
  closeServers();
  limit_ms = 20_000;
});

/** Patient, because a busy machine answers late; with a server that is silent, `limit_ms` is how long each check takes. */
let limit_ms = 20_000;

async function smoked(url: string, ...args: string[]) {
  const lines: string[] = [];
  const env = { SECRET: "hunter2-hunter2" };
  const { failed } = await smoke([url, ...args], { print: (line) => lines.push(line), limit_ms, env });
  return { failed, lines, output: lines.join("\n") };
}

test.each<[string, RequestListener, RegExp]>([
  [
    "answers nonsense",
    (_, answer) => void answer.setHeader("Content-Type", "text/html").end("<p>Buy now"),
    /not application\/json/,
  ],
  ["fails", (_, answer) => void answer.writeHead(500).end(), /answered 500, not 200/],
  ["sends us elsewhere", (_, answer) => void answer.writeHead(302, { Location: "/" }).end(), /answered 302, not 200/],
  ["never answers", () => undefined, /no answer within 0.1 s/],
  [
    "begins an answer and does not end it",
    (_, answer) => void answer.writeHead(200).write("{"),
    /no answer within 0.1 s/,
  ],
  [
    "is not configured",
    (_, answer) => {
      answer.writeHead(503, { "Content-Type": "application/json" });
      answer.end('{"detail":"Lamplighter is not configured yet"}');
    },
    /answered 503, not 200 \(Lamplighter is not configured yet\)/,
  ],
])("every check fails where a server %s", async (_, answer, reason) => {
  if (reason.source.startsWith("no answer")) limit_ms = 100;
  const { failed, lines, output } = await smoked(await serverThat(answer));
  expect(failed).toBe(CHECKS);
  expect(lines).toHaveLength(CHECKS + 1);
  expect(output).toMatch(reason);
  expect(output).toContain("6 of 6 checks failed.");
});

test("whoever was not let in is not told that their session has expired", async () => {
  const url = await serverThat((_, answer) => {
    answer.writeHead(401, { "Content-Type": "application/json" });
    answer.end('{"detail":"Incorrect email or password"}');
  });
  const { output } = await smoked(url, "--email", "ada@city.example", "--password-from-env", "SECRET");
  expect(output).toMatch(/signs in: .*\(Incorrect email or password\)\n {6}3 more checks were not tried.\n/);
});

test("one check is enough where nothing listens", async () => {
  const url = await serverThat(() => undefined);
  closeServers();
  const { failed, output } = await smoked(url);
  expect(failed).toBe(1);
  expect(output).toMatch(/FAIL .* nothing answers at .* \(ECONNREFUSED\)\n {6}5 more checks were not tried./);
});

test.each([
  ["smoke", ["http://127.0.0.1:1"], /nothing answers at http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)/],
  ["smoke", [], /^Usage: npm run smoke/],
  ["deploy", [], /^\nSay which deployment is meant/],
])("npm run %s fails with %j as it is called", async (script, args, sentence) => {
  const child = spawn(process.execPath, [`worker/local/${script}.mjs`, ...args]);
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const [code] = await once(child, "close");
  expect(output).toMatch(sentence);
  expect(output).not.toContain("    at ");
  expect(code).toBe(1);
});

test("tells how far this machine's clock is from the server's, and nobody the password", async () => {
  const url = await serverThat((_, answer) => {
    answer.writeHead(200, { "Content-Type": "application/json", Date: "Mon, 01 Jan 2001 00:00:00 GMT" });
    answer.end('{"status":"ok","version":"0.9.0"}');
  });
  const { failed, output } = await smoked(url, "--email", "you@city.example", "--password-from-env", "SECRET");
  expect(failed).toBeGreaterThan(0);
  expect(output).toMatch(/note {2}it runs version 0.9.0, this copy is /);
  expect(output).toMatch(/note {2}this machine's clock is \d+ min ahead of the server's/);
  expect(output).not.toContain("hunter2");
});

test.each([false, true])("only the named light is switched, and given back (its ON fails: %s)", async (isBroken) => {
  const posted: string[] = [];
  const ends: (string | undefined)[] = [];
  const url = await serverThat((request, answer) => {
    const told: Record<string, object> = {
      "/api/auth/login": { access_token: "t", user: { role: "manager" } },
      "/api/devices": { data: [{ id: "lamp-1", name: "Gate lamp" }] },
      "/api/devices/lamp-1/toggle": { success: true },
    };
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const { action, until } = body === "" ? { action: "", until: undefined } : JSON.parse(body);
      if (request.method === "POST") posted.push(`${request.url} ${action ?? ""}`.trim());
      if (action === "on") ends.push(until);
      if (action === "on" && isBroken) return void request.socket.destroy();
      const isStranger = request.url === "/api/devices" && !request.headers.authorization;
      const said = { "Content-Type": "application/json", Date: "Wed, 10 Jun 2026 12:00:00 GMT" };
      answer.writeHead(isStranger ? 401 : 200, said);
      answer.end(JSON.stringify(told[request.url ?? ""] ?? { status: "ok", data: [] }));
    });
  });
  const person = ["--email", "you@city.example", "--password-from-env", "SECRET"];
  await smoked(url, ...person);
  expect(posted).toEqual(["/api/auth/login", "/api/auth/logout"]);
  posted.length = 0;
  expect((await smoked(url, ...person, "--switch", "Lamp of another city")).output).toContain(
    "0 devices are called 'Lamp of another city'",
  );
  const { output } = await smoked(url, ...person, "--switch", "Gate lamp");
  expect(output).toContain("gives it back to its schedule: Gate lamp");
  if (!isBroken) expect(output).toContain("switches a light on: Gate lamp");
  expect(posted.filter((each) => each.includes("toggle"))).toEqual([
    "/api/devices/lamp-1/toggle on",
    "/api/devices/lamp-1/toggle auto",
  ]);
  // Should this machine die between the two, the light goes back by itself, by the server's clock.
  expect(ends).toEqual(["2026-06-10T12:15:00.000Z"]);
});

test.each([
  [[]],
  [["lights.city.example"]],
  [["https://a.example", "https://b.example"]],
  [["https://a.example", "--email", "you@city.example"]],
  [["https://a.example", "--switch", "Lamp 1"]],
  [["https://a.example", "--password", "x"]],
])("with %j it says how to call it", async (args) => {
  await expect(smoke(args)).rejects.toThrow(/^Usage: npm run smoke/);
});
