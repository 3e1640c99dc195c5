import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Source = { path: string; text: string };

/** The rooms of the product, and its tests. */
const ROOTS = ["app", "worker", "durable", "db", "tests"];
const CODE = /\.(ts|tsx|mjs)$/;
/** What people read or machines run, written by hand; the lock file and drizzle's snapshots are not. */
const WRITTEN = /\.(ts|tsx|mjs|md|css|sql|toml|json|yml|html|svg)$|^(_headers|run|robots\.txt)$/;
const MADE = /(^|\/)(node_modules|build|dist|meta|package-lock\.json|env\.d\.ts)(\/|$)/;

/** Every file of code, by path. */
export function code(): Source[] {
  return ROOTS.flatMap((root) => filesIn(root)).filter(({ path }) => CODE.test(path));
}

/** Every text of the tree that somebody wrote, code or not. */
export function texts(): Source[] {
  const top = readdirSync(".", { withFileTypes: true }).filter((entry) => entry.isFile());
  const loose = top.map(({ name }) => name).filter((name) => WRITTEN.test(name) && !MADE.test(name));
  return [...[".ci", ".github", ...ROOTS].flatMap((root) => filesIn(root)), ...loose.map((path) => read(path))];
}

function filesIn(root: string): Source[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && WRITTEN.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !MADE.test(path))
    .toSorted()
    .map((path) => read(path));
}

function read(path: string): Source {
  return { path, text: readFileSync(path, "utf8") };
}
