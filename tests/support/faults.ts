import { createHash, createHmac } from "node:crypto";
import { link, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { withDatabase } from "../../worker/local/database.mjs";
import type { Fault } from "#durable/providers/mock";
import type { Server } from "./server";
import { patiently } from "./visit";

const DATABASES = "v3/d1/miniflare-D1DatabaseObject";
const OBJECTS = "v3/do/lamplighter-OrgScheduler";

/**
 * Sets what is wrong with simulated lamps ('lamp:{cloud id}') and hubs ('hub:{id}') of a running server; [] heals. The
 * faults are in the object's own SQLite, which is opened here under the database's name, as a second link to its files.
 */
export async function setFaults(server: Server, faults: Record<string, Fault[]>, org_id = "demo-parks"): Promise<void> {
  const doorway = join(server.state_dir, "doorway");
  await mkdir(join(doorway, DATABASES), { recursive: true });
  const databases = await readdir(join(server.state_dir, DATABASES));
  const database = databases.find((name) => /^[0-9a-f]+\.sqlite$/.test(name));
  for (const part of ["", "-wal", "-shm"]) {
    const object = join(server.state_dir, OBJECTS, `${objectId(org_id)}.sqlite${part}`);
    await link(object, join(doorway, DATABASES, `${database}${part}`));
  }
  await withDatabase(doorway, async (d1) => {
    const insert = d1.prepare("INSERT OR REPLACE INTO faults (of, body) VALUES (?, ?)");
    const rows = Object.entries(faults).map(([of, list]) => insert.bind(of, JSON.stringify(list)));
    await patiently(() => d1.batch(rows));
  });
  await rm(doorway, { recursive: true });
}

/** The file's name of the object that `idFromName(name)` means in the local runtime. */
function objectId(name: string): string {
  const key = createHash("sha256").update("lamplighter-OrgScheduler").digest();
  const half = (of: string | Buffer) => createHmac("sha256", key).update(of).digest().subarray(0, 16);
  const first = half(name);
  return Buffer.concat([first, half(first)]).toString("hex");
}
