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

test("no statement of the engine has a bare parameter as its LIMIT", () => {
  // SQLite plans such a statement anew for each value: ten times what it costs to run.
  for (const file of filesOf("durable").filter((name) => name.endsWith(".ts")))
    expect(readFileSync(file, "utf8"), file).not.toMatch(/LIMIT \?\d*(?! \+|\d)/);
});

test("no page or service writes a caught error to the log as it is", () => {
  // A query's message holds what it was bound to: `logFailure` and `log` with `causeOf` leave that out.
  const inBrowsers = [
    "app/ui/on-demand.tsx",
    "app/routes/areas/map/use-drawn-map.ts",
    "app/routes/areas/map/draw-map.client.ts",
  ];
  const served = [...filesOf("app"), ...filesOf("worker")].filter((file) => !/^worker\/(local|agent)\//.test(file));
  const writing = served.filter((file) => /\.tsx?$/.test(file) && /console\.\w+\(/.test(readFileSync(file, "utf8")));
  expect(writing.toSorted()).toEqual([...inBrowsers, "app/router/log-failure.ts"].toSorted());
});

test("a migration is named for what it does, not by drizzle's dice", () => {
  const source = readFileSync("node_modules/drizzle-kit/bin.cjs", "utf8");
  const dice = (list: string) => (new RegExp(`${list} = \\[([^\\]]+)\\]`).exec(source)?.[1] ?? "").match(/\w+/g) ?? [];
  const [adjectives, heroes] = [dice("adjectives"), dice("heroes")];
  expect(adjectives.length * heroes.length).toBeGreaterThan(10_000);
  const names = filesOf("db/migrations").flatMap((file) => /\/\d{4}_(\w+)\.sql$/.exec(file)?.[1] ?? []);
  expect(names.length).toBeGreaterThan(20);
  const thrown = names.filter((name) => heroes.some((hero) => adjectives.some((word) => name === `${word}_${hero}`)));
  expect(thrown, "npm run migration -- what_it_does").toEqual([]);
});

test("an order knows what is equal: two of one name come neither before the other", () => {
  // Firefox sorts by such an answer otherwise than the server, and React throws the whole screen away.
  for (const file of ["app", "worker", "durable", "db"].flatMap(filesOf).filter((name) => /\.tsx?$/.test(name)))
    expect(readFileSync(file, "utf8"), file).not.toMatch(/[^=][<>] .*\? (-1 : 1|1 : -1)\b/);
});

/** Ours: the bench's peers may be installed beside it. */
function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("node_modules"));
}

/** From the ground up; what is not in a room stands above durable's rooms, and below those of the domain. */
const ROOMS = {
  durable: [
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
    "sync",
    "",
  ],
  "app/domain": [
    "",
    "time",
    "fields",
    "schedule",
    "guardrails",
    "resolve",
    "forecast",
    "light",
    "lists",
    "alarms",
    "records",
    "hubs",
    "organization",
    "messages",
    "tonight",
    "agent",
    "operations",
  ],
};

test.each(Object.entries(ROOMS))("the rooms of %s import downwards only, also by types", (root, rooms) => {
  const floorOf = (file: string) => {
    const [room = "", ...rest] = file.slice(root.length + 1).split("/");
    return rooms.indexOf(rest.length > 0 ? room : "");
  };
  const imports = importsOf(root);
  expect([...imports.keys()].filter((file) => floorOf(file) < 0)).toEqual([]);
  const up = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => target.startsWith(`${root}/`) && floorOf(target) > floorOf(file))
      .map((target) => `${file} -> ${target}`),
  );
  expect(up).toEqual([]);
});

test.each(["durable", "app/domain", "db"])("%s has no circular imports, also by types", (root) => {
  expect(circlesIn(importsOf(root))).toEqual([]);
});

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
