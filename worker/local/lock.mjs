import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder } from "./make-folder.mjs";

/**
 * Runs `work` while holding the lock `name` on this machine; waits for its turn. The lock is a socket rather than a file
 * with a process id, because a `kill -9` releases it, too.
 */
export async function withLock(name, work) {
  let release = await tryLock(name);
  while (release === null) {
    await sleep(100);
    release = await tryLock(name);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/** The same for a folder, which is made if need be: however it is reached, also by a link, it is one folder. */
export async function tryLockFolder(path) {
  await makeFolder(path);
  return tryLock(await realpath(path));
}

/** Returns the function that releases the lock, or null while another process holds it. */
export async function tryLock(name) {
  const id = `lamplighter-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
  // Linux has sockets that are no files: nothing is left behind that two who start at one moment would both take over,
  // and who has another user or another folder for temporary files finds the same lock.
  if (process.platform === "linux") return listen(`\0${id}`);
  const path = join(tmpdir(), `${id}.sock`);
  const release = await listen(path);
  if (release !== null) return release;
  if (await answers(path)) return null;
  rmSync(path, { force: true }); // left behind by a holder that was killed
  return listen(path);
}

function listen(path) {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve, reject) => {
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(null) : reject(error)));
    server.listen(path, () => resolve(() => server.close()));
  });
}

function answers(path) {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
}
