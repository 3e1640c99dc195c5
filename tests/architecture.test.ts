import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Rules that the linter cannot express; the others are in .oxlintrc.json. */
test("the domain has no clock of its own", () => {
  for (const file of filesOf("app/domain")) expect(readFileSync(file, "utf8"), file).not.toMatch(/new Date\(\s*\)/);
});

test("no folder is a catch-all such as utils", () => {
  const folders = ["app", "worker", "durable", "db", "tests"].flatMap((root) =>
    filesOf(root).map((file) => file.split("/").slice(0, -1)),
  );
  expect(folders.flat().filter((name) => /^(utils?|libs?|helpers?|common|misc|shared|types)$/.test(name))).toEqual([]);
});

function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const ROOMS = [
  "providers",
  "state",
  "reporting",
  "live",
  "commands",
  "reconcile",
  "monitoring",
  "dispatch",
  "agents",
  "requests",
  "",
];

test("the rooms of durable import downwards only, also by types", () => {
  const up = [...importsOf("durable")].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.startsWith("durable/") && floorOf(target) > floorOf(file))
      .map((target) => `${file} -> ${target}`),
  );
  expect(up).toEqual([]);
});

test.each(["durable", "app/domain", "db"])("%s has no circular imports, also by types", (root) => {
  expect(circlesIn(importsOf(root))).toEqual([]);
});

/** The files of durable itself are the top floor. */
function floorOf(file: string): number {
  const [, room = "", ...rest] = file.split("/");
  return ROOMS.indexOf(rest.length > 0 ? room : "");
}

/** Each source file below a root, with the files that it imports. */
function importsOf(root: string): Map<string, string[]> {
  const files = filesOf(root).filter((file) => /\.tsx?$/.test(file));
  return new Map(
    files.map((file) => {
      const text = readFileSync(file, "utf8");
      const named = [...text.matchAll(/(?:from|import)\s*\(?\s*"((?:\.|#)[^"]+)"/g)].map((match) => match[1] ?? "");
      return [file, named.flatMap((name) => resolved(file, name))];
    }),
  );
}

const ALIASES = {
  "#domain/": "app/domain/",
  "#app/": "app/",
  "#durable/": "durable/",
  "#db/": "db/",
  "#worker/": "worker/",
};

function resolved(file: string, name: string): string[] {
  const alias = Object.entries(ALIASES).find(([prefix]) => name.startsWith(prefix));
  const path = alias ? name.replace(alias[0], alias[1]) : join(file, "..", name);
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].filter(
    (candidate) => /\.tsx?$/.test(candidate) && existsSync(candidate),
  );
}

function circlesIn(imports: Map<string, string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) return void circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}
