import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { build } from "esbuild";
import { AGENT } from "../../worker/local/build.mjs";
import { aCommand, aSite, SECRET, type Site } from "./a-site";
import type { Line } from "./fake-city";
import { until } from "./until";

/** The one file, as a technician has it, run by Node alone. */
const FILE = resolve("build/agent/agent.mjs");

let site: Site;
let children: ChildProcess[];
beforeAll(async () => {
  await promisify(execFile)(process.execPath, ["worker/local/agent.mjs"]);
}, 120_000);
beforeEach(async () => {
  site = await aSite();
  children = [];
  await writeFile(config(), JSON.stringify({ url: site.city.url, secret: SECRET, networks: ["127.0.0.0/8"] }));
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await site.close();
});

function config(): string {
  return join(site.folder, "config.json");
}

function env(more = {}): Record<string, string | undefined> {
  return { LAMPLIGHTER_AGENT_CONFIG: config(), STATE_DIRECTORY: site.folder, ...more };
}

function start(): ChildProcess {
  const child = spawn(process.execPath, [FILE, "run"], {
    env: { ...process.env, ...env() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

async function welcomed(): Promise<{ child: ChildProcess; line: Line }> {
  const n = site.city.lines.length;
  const child = start();
  const line = await site.city.line(n);
  await line.saw("hello");
  line.say(site.welcome());
  return { child, line };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function said(args: string[], more = {}): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, [FILE, ...args], {
    env: { ...process.env, ...env(more) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  children.push(child);
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  child.stderr.on("data", (chunk) => (text += chunk));
  child.stdin.end(`${SECRET}\n`);
  const [code] = await once(child, "close");
  return { code, text };
}

/** A command of the computer that says this. */
function standIn(folder: string, name: string, says: string): Promise<void> {
  return writeFile(join(folder, name), `#!/bin/sh\nprintf '${says}'\n`, { mode: 0o755 });
}

test("where what it keeps cannot be kept, run says so in a sentence, with what to do", async () => {
  const { code, text } = await said(["run"], { STATE_DIRECTORY: config() });
  expect(code).toBe(1);
  expect(text).toMatch(
    /^What must survive a power cut can't be kept, EEXIST at \S+config\.json: give STATE_DIRECTORY a folder that the agent may write to\n$/,
  );
});

test("the one file is built anew after a change of any source that is in it", async () => {
  const { metafile } = await build({
    entryPoints: ["worker/agent/main.ts"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const own = Object.keys(metafile.inputs).filter((path) => !path.startsWith("node_modules/"));
  expect(own.length).toBeGreaterThan(50);
  expect(own.filter((path) => !AGENT.some((source) => path === source || path.startsWith(`${source}/`)))).toEqual([]);
});

test("the one file is all that Node needs to carry out commands", async () => {
  const { line } = await welcomed();
  line.say(aCommand());
  expect((await line.saw("result")).answer).toMatchObject({ ok: true, state: "on" });
});

test("killed after the hub has done it and before the answer, no order is carried out twice", async () => {
  site.simulator.fault("h1", { kind: "drop" });
  const { child, line } = await welcomed();
  const command = aCommand();
  line.say(command);
  await until(() => site.switched().length > 0, "the hub to have done it");
  await kill(child);
  site.simulator.fault("h1");
  const { line: again } = await welcomed();
  again.say({ ...command, id: "again" });
  expect((await again.saw("result")).answer).toMatchObject({ ok: false, reason: "stale" });
  expect(site.switched()).toEqual(["open"]);
});

test("killed before the hub was called, the order is lost, and never comes late", async () => {
  site.simulator.fault("h1", { kind: "silent" });
  const { child, line } = await welcomed();
  line.say(aCommand({ order: 77_001 }));
  await until(async () => (await readFile(join(site.folder, "orders.jsonl"), "utf8")).includes("77001"), "the order");
  await kill(child);
  site.simulator.fault("h1");
  const { line: again } = await welcomed();
  again.say(aCommand({ verb: "ping", action: null, address: null, device: null }));
  expect((await again.saw("result")).answer).toMatchObject({ ok: true });
  expect(site.switched()).toEqual([]);
});

test("told to stop, the program says goodbye and ends well", async () => {
  const { child, line } = await welcomed();
  line.say(aCommand());
  await line.saw("result");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await line.saw("bye")).toMatchObject({ say: "the program was stopped" });
});

test("check names each thing that works, down to the hubs, and does not cut the line", async () => {
  const { line } = await welcomed();
  line.say(aCommand());
  await line.saw("result");
  const { text } = await said(["check"]);
  const lines = text.trim().split("\n");
  expect(lines.map((one) => one.slice(0, 15).trim()).slice(0, 4)).toEqual([
    "File   ok",
    "DNS    ok",
    "TLS    ok",
    "Secret ok",
  ]);
  expect(lines[4]).toMatch(/^Clock {2}(ok|WRONG) .*\d+ s off the city's/);
  expect(lines[5]).toMatch(/^Hub {4}ok {6}North hub at 127\.0\.0\.1: 1 device, \d+ ms$/);
  expect(line.closed).toBe(null);
});

test("check says what is wrong with the secret, and that no hub is assigned", async () => {
  site.city.secret = "Bearer another one";
  const { code, text } = await said(["check"]);
  expect(text).toContain("Secret WRONG   it was replaced or revoked in Settings, On-site Agents");
  expect(text).toContain("Hubs   WRONG   none told yet: under Hubs, choose this agent in the form of each hub");
  expect(code).toBe(1);
});

test("check says whether the service runs, where there is one", async () => {
  const root = join(site.folder, "root");
  await mkdir(root);
  await said(["install", "--url", "lights.city.gov"], { DESTDIR: root });
  const agent = async (state: string) => {
    await standIn(root, "systemctl", state);
    const { text } = await said(["check"], { DESTDIR: root, PATH: `${root}:${process.env.PATH}` });
    return text.split("\n").filter((line) => line.startsWith("Agent"));
  };
  expect(await agent("ActiveState=active\\nResult=success\\n")).toEqual(["Agent  ok      its service runs"]);
  expect(await agent("Result=signal\\nActiveState=activating\\n")).toEqual([
    "Agent  WRONG   its service does not run (signal): journalctl -u lamplighter-agent",
  ]);
});

test("a clock that the network's time has set is well, also where the city does not say what time it is", async () => {
  await standIn(site.folder, "timedatectl", "yes");
  site.city.tellsTime = false;
  const { text } = await said(["check"], { PATH: `${site.folder}:${process.env.PATH}` });
  expect(text).toContain("Clock  ok      set by the network's time\n");
});

test("where its folders cannot be made the program ends with the reason, and does not hang", async () => {
  for (const [args, more] of [
    [["run"], { STATE_DIRECTORY: "/proc/lamplighter/agent" }],
    [["install", "--url", "lights.city.gov"], { DESTDIR: "/proc/lamplighter" }],
  ] as const)
    expect([args, await said([...args], more)]).toEqual([
      args,
      { code: 1, text: expect.stringMatching(/(ENOENT|EACCES|EPERM).*\/proc\/lamplighter/) },
    ]);
});

test("help and the version are told however they are asked for, and what is no command is answered with what is one", async () => {
  const usage = /^Lamplighter's on-site agent \d+\.\d+\.\d+\n\n {2}sudo node agent\.mjs install/;
  for (const args of [[], ["help"], ["--help"], ["-h"], ["uninstall", "--help"]])
    expect([args, await said(args)]).toEqual([args, { code: 0, text: expect.stringMatching(usage) }]);
  for (const args of [["version"], ["--version"]])
    expect(await said(args)).toEqual({ code: 0, text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  for (const args of [["instal"], ["check", "now"], ["--instal"], ["install", "--url"], ["install", "--networks", "x"]])
    expect([args, await said(args)]).toEqual([args, { code: 1, text: expect.stringMatching(usage) }]);
});

test("install puts the program, its secret file and its service in place, and keeps what is not given", async () => {
  const root = join(site.folder, "root");
  await mkdir(root);
  const installed = await said(["install", "--url", "lights.city.gov", "--network", "192.168.7.0/24"], {
    DESTDIR: root,
  });
  expect(installed.text).toContain("It may call hubs on 192.168.7.0/24.");
  expect(installed.code).toBe(0);
  const file = join(root, "etc/lamplighter-agent.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const first = JSON.parse(await readFile(file, "utf8"));
  expect(first).toEqual({ url: "lights.city.gov", secret: SECRET, networks: ["192.168.7.0/24"] });
  const program = join(root, "usr/local/lib/lamplighter-agent/agent.mjs");
  expect(await readFile(program, "utf8")).toBe(await readFile(FILE, "utf8"));
  const unit = await readFile(join(root, "etc/systemd/system/lamplighter-agent.service"), "utf8");
  expect(unit).toContain(`ExecStart=${process.execPath} /usr/local/lib/lamplighter-agent/agent.mjs run\n`);
  for (const setting of [
    "DynamicUser=yes",
    "StateDirectory=lamplighter-agent",
    "Restart=always",
    "NoNewPrivileges=yes",
    // Node asks newer kernels for what the filter does not know; without it systemd kills the program at its start.
    "SystemCallErrorNumber=EPERM",
  ])
    expect(unit).toContain(`${setting}\n`);

  const other = SECRET.replace("sss", "ttt");
  await said(["install"], { DESTDIR: root, LAMPLIGHTER_AGENT_SECRET: other });
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ ...first, secret: other });
  expect(installed.text + unit).not.toContain("lla_");

  await said(["uninstall"], { DESTDIR: root });
  await expect(stat(file)).rejects.toThrow("ENOENT");
});

test("install over a file with a mistake of a hand in it says so, and keeps what is in it", async () => {
  const root = join(site.folder, "root");
  await mkdir(join(root, "etc"), { recursive: true });
  const file = join(root, "etc/lamplighter-agent.json");
  const kept = `"secret": "${SECRET}", "networks": ["10.4.0.0/16"], "hubs": {"North hub": {"client_id": "a"}}`;
  for (const [text, told] of [
    [`{"url": "lights.city.gov" ${kept}}`, "can't be read: a comma, a quote or a bracket is missing or too many. Mend"],
    [`{"url": "lights.city.gov", ${kept}}`, "hubs, North hub, client_secret is missing"],
    [`{"url": "lights.city.gov", "networks": "10.4.0.0/16"}`, "networks must be a list in [ ]"],
  ] as const) {
    await writeFile(file, text);
    const { code, text: answer } = await said(["install"], { DESTDIR: root });
    expect(answer).toContain("Nothing was installed: ");
    expect(answer).toContain(told);
    expect(code).toBe(1);
    expect(await readFile(file, "utf8")).toBe(text);
  }
});

test("install refuses what would not work, and leaves nothing behind", async () => {
  const root = join(site.folder, "root");
  await mkdir(root);
  const { code, text } = await said(["install", "--url", "http://lights.city.gov"], { DESTDIR: root });
  expect(text).toContain("Nothing was installed: url must be the https address of Lamplighter");
  expect(code).toBe(1);
  await expect(stat(join(root, "etc"))).rejects.toThrow("ENOENT");
});
