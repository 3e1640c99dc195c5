import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` while no other process on this machine works under the same name; waits for its turn. A socket rather
 * than a file with a process id, because it is let go of by a `kill -9` too.
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

/** Answers the function that lets go, or null while another process holds the name. */
export async function tryLock(name) {
  const path = join(tmpdir(), `lamplighter-${createHash("sha256").update(name).digest("hex").slice(0, 16)}.sock`);
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
