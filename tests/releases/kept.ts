import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { z } from "zod";

/** The release that is in the cities: what is built now has to get on with it, in both directions. */
const LAST = "1.0.0";

/**
 * The kinds of records that it can write to D1. Release 1.0.0 stops at one that it does not know, and history with it, so no
 * other kind may be made until that release is not gone back to; later ones let such records wait.
 */
export const ITS_KINDS = [
  "scheduler_event",
  "device_event",
  "connectivity_log",
  "notification",
  "device_state",
  "device_problem",
  "state_change",
  "device_hold",
  "alarm",
  "alarms_open",
  "hub_health",
  "agent_health",
];

const FOLDER = join("tests/releases", LAST);
const about = z.object({ version: z.string(), at: z.string(), token: z.string() });
const texts = z.record(z.string(), z.string());
const statements = z.array(z.string());

export type Release = {
  version: string;
  /** When its state was kept (epoch ms), and the token of somebody who was signed in. */
  at: number;
  token: string;
  code: string;
  d1: string[];
  objects: Record<string, string[]>;
  /** What its agent had stored. */
  files: Record<string, string>;
};

export async function lastRelease(): Promise<Release> {
  const { at, ...more } = about.parse(JSON.parse(await readFile(join(FOLDER, "release.json"), "utf8")));
  const [code, d1, objects, files] = await Promise.all(
    ["worker.js", "d1.json", "objects.json", "agent-files.json"].map(textOf),
  );
  return {
    ...more,
    at: Date.parse(at),
    code: code ?? "",
    d1: statements.parse(JSON.parse(d1 ?? "")),
    objects: z.record(z.string(), statements).parse(JSON.parse(objects ?? "")),
    files: texts.parse(JSON.parse(files ?? "")),
  };
}

/** Its agent's program, as a technician had it. */
export async function unpackAgent(to: string): Promise<void> {
  await writeFile(to, await textOf("agent.mjs"));
}

async function textOf(name: string): Promise<string> {
  return brotliDecompressSync(await readFile(join(FOLDER, `${name}.br`))).toString("utf8");
}
