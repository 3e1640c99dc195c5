import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";

const CLIENT = "build/client";
/** The limits in kB of gzipped JavaScript; lower for the dashboard, which people open first every day. */
const MOST = { dashboard: 115, other: 130 };
/** The same of what is loaded with the map only: the library, what it runs in a worker, and what is ours. */
const MOST_ON_DEMAND = { "draw-map.client": 310, "maplibre-gl-worker": 155, "area-map": 8 };
/** The same of every other script, so that no press beside a dark field waits for a library that only the server needs. */
const MOST_OF_OTHERS = 15;

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

/** The scripts that no page loads first. Throws if one with a limit of its own is not there: it is loaded at first, then. */
async function onDemand() {
  const files = (await readdir(join(CLIENT, "assets"))).filter((each) => /\.m?js$/.test(each));
  const limited = Object.entries(MOST_ON_DEMAND).map(([name, most]) => {
    const file = files.find((each) => each.startsWith(`${name}-`));
    if (file === undefined) throw new Error(`${name} has no file of its own.`);
    return { name, file, most };
  });
  const known = new Set([...limited.map(({ file }) => file), ...(await filesLoadedFirst())]);
  const others = files.filter((file) => !known.has(file)).map((file) => ({ name: file, file, most: MOST_OF_OTHERS }));
  return Promise.all(
    [...limited, ...others].map(async (each) => ({ ...each, kb: (await sizeOf(`assets/${each.file}`)) / 1000 })),
  );
}

/** The scripts that a page loads first: the entry, its routes from the root down, and all of their imports. */
export async function firstLoads() {
  const size = once(sizeOf);
  return Promise.all(
    (await pages()).map(async ({ page, files }) => {
      const sizes = await Promise.all([...files].map(size));
      return { page, kb: sizes.reduce((sum, bytes) => sum + bytes, 0) / 1000 };
    }),
  );
}

async function pages() {
  const { entry, routes } = await manifest();
  const shown = Object.values(routes).filter(({ path, hasLoader, module }) => path && hasLoader && module);
  return shown.map((route) => {
    const parts = [entry, ...lineage(routes, route)];
    return {
      page: `/${route.path}`,
      files: new Set(parts.flatMap(({ module, imports = [] }) => [module, ...imports])),
    };
  });
}

/** By their names alone, of all pages. */
async function filesLoadedFirst() {
  return (await pages()).flatMap(({ files }) => [...files].map((file) => basename(file)));
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
