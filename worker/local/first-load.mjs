import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const CLIENT = "build/client";
/** The limits in kB of gzipped JavaScript; lower for the dashboard, which people open first every day. */
const MOST = { dashboard: 115, other: 130 };

/** Throws if a page's first load is too large, with the page and its size. */
export async function checkFirstLoads() {
  for (const { page, kb } of await firstLoads()) {
    const most = page === "/dashboard" ? MOST.dashboard : MOST.other;
    if (kb > most)
      throw new Error(`${page} loads ${kb.toFixed(1)} kB of JavaScript at first; ${most} kB are the most.`);
  }
}

/** The scripts that a page loads first: the entry, its routes from the root down, and all of their imports. */
export async function firstLoads() {
  const { entry, routes } = await manifest();
  const size = once(async (file) => gzipSync(await readFile(join(CLIENT, file))).length);
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

function once(work) {
  const made = new Map();
  return (key) => made.get(key) ?? made.set(key, work(key)).get(key);
}
