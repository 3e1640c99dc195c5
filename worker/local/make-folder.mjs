import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a folder and those above it. Node's own way with `recursive` never ends where nothing can be made, as in /proc. */
export async function makeFolder(path, mode) {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path && !(await isThere(above))) await makeFolder(above, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (!(await isFolder(path))) throw error; // another process may have made it meanwhile
  }
}

function isFolder(path) {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isThere(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}
