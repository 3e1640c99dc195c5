import { join, normalize } from "node:path";
import ts from "typescript";
import type { Source } from "./sources";

export type Arrow = { from: string; to: string };

/**
 * The floors, from the ground up: what stands on one imports its own and those below. A path belongs to the longest
 * prefix that fits. The linter holds most of it; this counts all of it, types included.
 */
const FLOORS = [
  ["app/domain/"],
  ["app/week/"],
  ["db/"],
  ["durable/providers/"],
  ["durable/state/"],
  ["durable/reporting/"],
  ["durable/live/"],
  ["durable/commands/"],
  ["durable/reconcile/"],
  ["durable/monitoring/"],
  ["durable/dispatch/"],
  ["durable/agents/"],
  ["durable/requests/"],
  ["durable/sync/"],
  ["durable/"],
  ["worker/"],
  ["app/ui/"],
  ["app/"],
  ["app/routes/"],
  ["tests/"],
];
/** The one file of the worker whose types the screens are written against, and the screens that it names. */
const GATE = "worker/context.ts";

/** Which file imports which, types included; packages are left out. */
export function arrows(sources: Source[]): Arrow[] {
  const paths = new Set(sources.map(({ path }) => path));
  return sources.flatMap(({ path, text }) =>
    ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => resolved(path, fileName, paths))
      .filter((to) => to !== null)
      .map((to) => ({ from: path, to })),
  );
}

/** The imports that point at a higher floor. */
export function upward(all: Arrow[]): Arrow[] {
  return all.filter(({ from, to }) => to !== GATE && floorOf(from) < floorOf(to));
}

/** The groups of files that reach each other in a ring (Tarjan's strongly connected components of two or more). */
export function circles(all: Arrow[]): string[][] {
  const next = new Map<string, Arrow[]>();
  for (const arrow of all) next.set(arrow.from, [...(next.get(arrow.from) ?? []), arrow]);
  const seen = new Map<string, { index: number; low: number; open: boolean }>();
  const open: string[] = [];
  const found: string[][] = [];
  for (const { from } of all) if (!seen.has(from)) visit(from);
  return found;

  function visit(path: string): { index: number; low: number; open: boolean } {
    const node = { index: seen.size, low: seen.size, open: true };
    seen.set(path, node);
    open.push(path);
    for (const { to } of next.get(path) ?? []) {
      const other = seen.get(to) ?? visit(to);
      if (other.open) node.low = Math.min(node.low, other.low);
    }
    if (node.low === node.index) {
      const ring = open.splice(open.indexOf(path));
      for (const member of ring) Object.assign(seen.get(member) ?? node, { open: false });
      if (ring.length > 1) found.push(ring.toSorted());
    }
    return node;
  }
}

function resolved(from: string, name: string, paths: Set<string>): string | null {
  const base = name.startsWith("#domain/")
    ? name.replace("#domain/", "app/domain/")
    : name.startsWith("#")
      ? name.slice(1)
      : name.startsWith(".")
        ? normalize(join(from, "..", name))
        : null;
  if (base === null) return null;
  return [base, `${base}.ts`, `${base}.tsx`, `${base}.mjs`].find((path) => paths.has(path)) ?? null;
}

function floorOf(path: string): number {
  const fits = FLOORS.flatMap((prefixes, floor) => prefixes.map((prefix) => ({ prefix, floor })));
  const [longest] = fits
    .filter(({ prefix }) => path.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  return longest?.floor ?? FLOORS.length;
}
