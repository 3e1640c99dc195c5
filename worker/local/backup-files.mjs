import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { open, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createGunzip, createGzip } from "node:zlib";
import { tryLockFolder } from "./lock.mjs";
import { makeFolder } from "./make-folder.mjs";
import { UserError } from "./user-error.mjs";

// A backup is a directory: a file for each table, one row a line, compressed, and manifest.json, which is written last.

const MANIFEST = "manifest.json";
/** Only who made it may read it: there are password hashes in it. */
const [FILE_MODE, DIR_MODE] = [0o600, 0o700];
/** A row is at most what the database takes, twice, since its quotes are escaped. */
const MOST_LINE_BYTES = 4_000_000;
const MOST_MANIFEST_BYTES = 1_000_000;

/** Where an organization's backup is in `dir`. Throws where the id could name another place. */
export function directoryOf(dir, org) {
  if (!/^[\w-]{1,120}$/.test(org)) throw new UserError(`${org} is no id of an organization.`);
  return join(dir, org);
}

/** Whether a whole backup is in `dir`. */
export function hasBackup(dir) {
  return stat(join(dir, MANIFEST)).then(
    () => true,
    () => false,
  );
}

/**
 * Begins a backup in `dir`: `begin(table)`, `write(line)` and, at the end, `finish(manifest)`, or `abandon()`. One that is
 * whole stays. Two at once would write into the same files, and the manifest of neither would be true of them.
 */
export async function newBackup(dir) {
  await makeFolder(dir, DIR_MODE);
  const release = await tryLockFolder(dir);
  if (release === null)
    throw new UserError(`Another backup is being made in ${dir}. Wait until it is done, or name another directory.`);
  if (await hasBackup(dir)) {
    release();
    throw new UserError(`${dir} has a backup already. Name another directory.`);
  }
  const files = new Map();
  let current = null;

  const end = async () => {
    if (current) files.set(current.table, await current.close());
    current = null;
  };
  return {
    begin: async (table) => {
      await end();
      current = newFile(dir, table);
    },
    write: (line) => current.write(line),
    finish: async (said) => {
      await end();
      await writeWhole(dir, `${JSON.stringify({ ...said, files: [...files.values()] }, null, 2)}\n`);
      release();
      return [...files.values()];
    },
    /** A table that was begun and is not whole yet. Where none was, as for an organization that there is not, nothing stays. */
    abandon: async () => {
      await current?.close().catch(() => undefined);
      await rmdir(dir).catch(() => undefined); // only an empty one
      release();
    },
  };
}

function newFile(dir, table) {
  const gzip = createGzip();
  const out = createWriteStream(fileOf(dir, table), { mode: FILE_MODE });
  const hash = createHash("sha256");
  gzip.on("data", (chunk) => hash.update(chunk));
  gzip.pipe(out);
  const failed = new Promise((_, reject) => out.once("error", reject));
  failed.catch(() => undefined);
  let [rows, bytes] = [0, 0];
  return {
    table,
    write: async (line) => {
      rows += 1;
      bytes += Buffer.byteLength(line) + 1;
      if (!gzip.write(`${line}\n`)) await Promise.race([once(gzip, "drain"), failed]);
    },
    close: async () => {
      gzip.end();
      await Promise.race([once(out, "close"), failed]);
      return { table, rows, bytes, sha256: hash.digest("hex") };
    },
  };
}

/** All of the manifest or none of it, whatever happens to the machine. */
async function writeWhole(dir, text) {
  const half = join(dir, `${MANIFEST}.half`);
  await rm(half, { force: true });
  const file = await open(half, "wx", FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(half, join(dir, MANIFEST));
}

/** The manifest of the organization's backup in `dir`, whose files are all there, and as they were written. */
export async function wholeBackup(dir, org) {
  const manifest = await readManifest(dir);
  const { id, name } = manifest.organization;
  if (id !== org) throw new UserError(`${dir} is a backup of ${name} (${id}), not of ${org}.`);
  for (const file of manifest.files) {
    const path = fileOf(dir, file.table);
    const sha256 = await hashOf(path);
    if (sha256 === null) throw new UserError(`${path} is missing: the backup is not whole.`);
    if (sha256 !== file.sha256) throw new UserError(`${path} was changed or cut short since the backup was made.`);
  }
  return manifest;
}

async function readManifest(dir) {
  const path = join(dir, MANIFEST);
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null)
    throw new UserError(`${dir} has no ${MANIFEST}: there is no backup, or it was broken off half-way.`);
  try {
    if (size > MOST_MANIFEST_BYTES) throw new Error("too large");
    const manifest = JSON.parse(await readFile(path, "utf8"));
    if (typeof manifest.organization.id !== "string" || !manifest.files.every(isFile)) throw new Error("no manifest");
    return manifest;
  } catch {
    throw new UserError(`${path} is not the manifest of a backup.`);
  }
}

function isFile({ table, rows, bytes, sha256 }) {
  return /^[\w.]{1,80}$/.test(table) && Number.isInteger(rows) && Number.isInteger(bytes) && typeof sha256 === "string";
}

async function hashOf(path) {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
  } catch {
    return null;
  }
  return hash.digest("hex");
}

/** The rows of a table's file, one by one. Stops with a UserError where there is more in it than its manifest says. */
export async function* linesOf(dir, { table, rows, bytes }) {
  const path = fileOf(dir, table);
  const more = () => new UserError(`There is more in ${path} than its manifest says.`);
  const text = createReadStream(path).pipe(createGunzip());
  let [rest, seen, n] = [[], 0, 0];
  try {
    for await (const chunk of text) {
      seen += chunk.length;
      if (seen > bytes) throw more();
      let from = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        n += 1;
        if (n > rows) throw more();
        yield Buffer.concat([...rest, chunk.subarray(from, at)]).toString("utf8");
        rest = [];
        from = at + 1;
      }
      rest.push(chunk.subarray(from));
      if (rest.reduce((sum, part) => sum + part.length, 0) > MOST_LINE_BYTES)
        throw new UserError(`A line of ${path} is too long.`);
    }
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(`${path} can't be read: ${error.message}`);
  } finally {
    text.destroy();
  }
  if (n !== rows || seen !== bytes) throw new UserError(`There is less in ${path} than its manifest says.`);
}

function fileOf(dir, table) {
  return join(dir, `${table}.jsonl.gz`);
}
