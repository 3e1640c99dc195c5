import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes the whole file or leaves the old one, whatever happens in between; for its owner's eyes only. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  const folder = await open(dirname(path));
  try {
    await folder.sync(); // the name, too, must survive a power cut
  } finally {
    await folder.close();
  }
}
