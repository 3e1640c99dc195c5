import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const CLIENT = "build/client";
/** The limits in kB of gzipped JavaScript; lower for the dashboard, which people open first every day. */
const MOST = { dashboard: 115, other: 130 };
/** The same of what is loaded with the map only: the library, what it runs in a worker, and what is ours. */
const MOST_ON_DEMAND = { "draw-map.client": 310, "maplibre-gl-worker": 155, "area-map": 8 };

/** Throws if a page's first load, or what is loaded on demand, is too large, with its name and size. */
export async function checkFirstLoads() {
  for (const { page, kb } of await firstLoads()) {
    const most = page === "/dashboard" ? MOST.dashboard : MOST.other;
    if (kb > most)
      throw new Error(`${page} loads ${kb.toFixed(1)} kB of JavaScript at first; ${most} kB are the most.`);
  }
  for (const { name, kb, most } of await onDemand()) {
    if (kb > most) throw new Error(`${name} is ${kb.toFixed(1)} kB of JavaScript; ${most} kB are the most.`);
  }
}

/** The scripts with a limit of their own. Throws for one that is not there: it is loaded at first, then. */
async function onDemand() {
  const files = await readdir(join(CLIENT, "assets"));
  return Promise.all(
    Object.entries(MOST_ON_DEMAND).map(async ([name, most]) => {
      const file = files.find((each) => each.startsWith(`${name}-`) && /\.m?js$/.test(each));
      if (file === undefined) throw new Error(`${name} has no file of its own.`);
      return { name, kb: (await sizeOf(`assets/${file}`)) / 1000, most };
    }),
  );
}

/** The scripts that a page loads first: the entry, its routes from the root down, and all of their imports. */
export async function firstLoads() {
  const { entry, routes } = await manifest();
  const size = once(sizeOf);
  const pages = Object.values(routes).filter(({ path, hasLoader, module }) => path && hasLoader && module);
  return Promise.all(
    pages.map(async (route) => {
      const parts = [entry, ...lineage(routes, route)];
      const files = new Set(parts.flatMap(({ module, imports = [] }) => [module, ...imports]));
      const sizes = await Promise.all([...files].map(size));
      return { page: `/${route.path}`, kb: sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000 };
    }),
  );
}

async function manifest() {
  const name = (await readdir(join(CLIENT, "assets"))).find((file) => /^manifest-.*\.js$/.test(file));
  const text = await readFile(join(CLIENT, "assets", name), "utf8");
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}

function lineage(routes, route) {
  const parent = routes[route.parentId];
  return parent ? [...lineage(routes, parent), route] : [route];
}

async function sizeOf(file) {
  return gzipSync(await readFile(join(CLIENT, file))).length;
}

function once(work) {
  const made = new Map();
  return (key) => made.get(key) ?? made.set(key, work(key)).get(key);
}
