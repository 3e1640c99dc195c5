import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Memory in place of a disk: the tests' databases commit all the time, and a disk is waited for at each commit. */
const SHARED_MEMORY = "/dev/shm";
/** What a run may need of it. A container often has 64 MiB. */
const ROOM_BYTES = 4 * 1024 ** 3;
/** Containers may share the memory, and do not share process ids. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 4);
const PREFIX = `lamplighter-${HOST}-`;

/**
 * A new folder for what a run writes, which the run removes at its end: in memory where there is room, else where
 * temporary files go. What runs that were killed have left in memory is removed: nothing else would free it.
 */
export async function makeScratch({ memory = SHARED_MEMORY, room_bytes = ROOM_BYTES } = {}) {
  await removeLeftOvers(memory);
  return (await inMemory(memory, room_bytes)) ?? (await makeFolder(tmpdir()));
}

/** Null if there is too little room, or if no program may be started from there, as some tests do. */
async function inMemory(memory, room_bytes) {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  if (free < room_bytes) return null;
  const folder = await makeFolder(memory);
  const program = join(folder, "program");
  await writeFile(program, "#!/bin/sh\n", { mode: 0o755 });
  try {
    await promisify(execFile)(program);
    return folder;
  } catch {
    await rm(folder, { recursive: true });
    return null;
  }
}

function makeFolder(where) {
  return mkdtemp(join(where, `${PREFIX}${process.pid}-`));
}

async function removeLeftOvers(memory) {
  const names = await readdir(memory).catch(() => []);
  const left = names.filter(
    (name) => name.startsWith(PREFIX) && !isAlive(Number.parseInt(name.slice(PREFIX.length), 10)),
  );
  await Promise.all(left.map((name) => rm(join(memory, name), { recursive: true, force: true })));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive, too.
    return error.code !== "ESRCH";
  }
}
