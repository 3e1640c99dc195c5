import { execFile } from "node:child_process";
import { access, chmod, copyFile, readFile, rm, stat } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { makeFolder } from "../../local/make-folder.mjs";
import { check } from "../check";
import { CONFIG_PATH, fieldsIn, parseConfig } from "../config";
import { replaceFile } from "../store/replace-file";
import { asking, type Ask } from "./ask";
import { ownNetworks } from "./own-networks";
import { PROGRAM_PATH, SERVICE, unit, UNIT_PATH } from "./unit";

const PATIENCE_MS = 15_000;

type Given = { url?: string; network?: string[] };

/** Where a package is put together instead of on this computer; then no service is started. */
const root = process.env.DESTDIR ?? "";
const at = (path: string) => join(root, path);

/** Puts the program, its file and its service in place and starts it; the exit code. Again, it keeps what is not given. */
export async function install(given: Given): Promise<number> {
  const refusal = await whyNot();
  if (refusal !== null) return refuse(refusal);
  const text = await configFrom(given);
  const parsed = parseConfig(text);
  if (!parsed.ok) return refuse(`Nothing was installed: ${parsed.detail}.`);
  for (const path of [CONFIG_PATH, UNIT_PATH, PROGRAM_PATH]) await makeFolder(dirname(at(path)));
  await replaceFile(at(CONFIG_PATH), text);
  await copyProgram();
  await replaceFile(at(UNIT_PATH), unit(process.execPath));
  await chmod(at(UNIT_PATH), 0o644);
  console.log(`Installed ${PROGRAM_PATH} and ${CONFIG_PATH}, which only root can read.`);
  if (root !== "") return 0;
  await systemctl("daemon-reload");
  await systemctl("enable", SERVICE);
  const began = Date.now();
  await systemctl("restart", SERVICE);
  await hubsTold(began);
  console.log("The service runs, and starts with this computer. What works and what does not:\n");
  return check();
}

/** Removes everything, the secret and the hubs' credentials too; the exit code. */
export async function uninstall(): Promise<number> {
  const refusal = await whyNot();
  if (refusal !== null) return refuse(refusal);
  if (root === "") await systemctl("disable", "--now", SERVICE).catch(() => undefined);
  for (const path of [
    UNIT_PATH,
    dirname(PROGRAM_PATH),
    CONFIG_PATH,
    `/var/lib/${SERVICE}`,
    `/var/lib/private/${SERVICE}`,
  ])
    await rm(at(path), { recursive: true, force: true });
  if (root === "") await systemctl("daemon-reload");
  console.log("Removed. Revoke the agent in Settings, On-site Agents, too.");
  return 0;
}

/** The service is told of its hubs when it is connected; who installs should not have to say `check` once more. */
async function hubsTold(began: number): Promise<void> {
  const told = () =>
    stat(`/var/lib/${SERVICE}/hubs.json`).then(
      ({ mtimeMs }) => mtimeMs >= began,
      () => false,
    );
  while (Date.now() - began < PATIENCE_MS && !(await told())) await sleep(500);
}

async function whyNot(): Promise<string | null> {
  if (root !== "") return null;
  if (process.getuid?.() !== 0) return "Run this with sudo: it makes a service.";
  const hasSystemd = await access("/run/systemd/system").then(
    () => true,
    () => false,
  );
  if (!hasSystemd) return "This computer has no systemd. The README says how to run the agent in a container.";
  if (/^\/(home|root)\//.test(process.execPath)) {
    return `Node is in ${dirname(process.execPath)}, which a service can't read. Install it for the whole computer.`;
  }
  return null;
}

/** The file's text: what is given, else what was there before, else what the technician answers. */
async function configFrom({ url, network }: Given): Promise<string> {
  const before = await earlier();
  const { ask, close } = asking();
  try {
    const answered = {
      ...before,
      url:
        url ?? (await askUnlessKnown(ask, "The address of Lamplighter, such as https://lights.city.gov:", before.url)),
      secret: process.env.LAMPLIGHTER_AGENT_SECRET ?? (await askSecret(ask, before.secret)),
      networks: network ?? before.networks ?? ownNetworks(networkInterfaces()),
    };
    console.log(`It may call hubs on ${[answered.networks].flat().join(", ") || "no network: give --network"}.`);
    return `${JSON.stringify(answered, null, 2)}\n`;
  } finally {
    close();
  }
}

/** Written by hand, maybe: `parseConfig` says what is wrong with it. */
type Earlier = { url?: unknown; secret?: unknown; networks?: unknown };

/** Throws where it is there and can't be read: what is in it may be nowhere else. */
async function earlier(): Promise<Earlier> {
  const text = await readFile(at(CONFIG_PATH), "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}";
    throw error;
  });
  const read = fieldsIn(text);
  if (read.ok) return read.config;
  throw new Error(`Nothing was installed: ${CONFIG_PATH}: ${read.detail}. Mend it, or delete it to begin anew.`);
}

async function askUnlessKnown(ask: Ask, question: string, known: unknown): Promise<unknown> {
  return known ?? (await ask(question));
}

async function askSecret(ask: Ask, known: unknown): Promise<unknown> {
  if (known === undefined) return ask("The agent's secret, from Settings, On-site Agents (it is not shown):", true);
  return (await ask("The agent's new secret, or Enter to keep the one it has (it is not shown):", true)) || known;
}

/** A running program can't be copied onto itself. */
async function copyProgram(): Promise<void> {
  const [, own = ""] = process.argv;
  if (own === at(PROGRAM_PATH)) return;
  await copyFile(own, at(PROGRAM_PATH));
  await chmod(at(PROGRAM_PATH), 0o644);
}

async function systemctl(...args: string[]): Promise<void> {
  await promisify(execFile)("systemctl", args);
}

function refuse(text: string): number {
  console.error(text);
  return 1;
}
