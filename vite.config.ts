import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin, type Rollup } from "vite";

declare module "@remix-run/cloudflare" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface Future {
    v3_singleFetch: true;
  }
}

const app = fileURLToPath(new URL("./app/", import.meta.url));

const routes = (...names: string[]) => names.map((name) => `${app}routes/${name}/route.tsx`);

/** What every signed-in screen shows around itself, and the screens with which every day begins. */
const FIRST = [`${app}root.tsx`, ...routes("layout", "dashboard")];
const DEVICES = routes("devices");
const LISTS = routes("areas", "hubs", "schedules", "workorders");

/**
 * The framework in one file, what the first screens are made of in another, and what lists are made of in a third: that
 * of devices, which is opened most, and what two others share. On its own each hook would be a request, of which a phone
 * has few at a time, and an archive with nothing to share.
 */
function manualChunks(id: string, { getModuleInfo }: Rollup.ManualChunkMeta): string | undefined {
  if (
    /commonjsHelpers|node_modules\/(@remix-run|react|react-dom|react-router|react-router-dom|scheduler|turbo-stream)\//.test(
      id,
    )
  ) {
    return "framework";
  }
  if (/\/app\/(root|routes\/)/.test(id) && !id.startsWith(`${app}routes/layout/`)) return undefined;
  const isOf = (entries: string[]) => isImported(id, entries, getModuleInfo);
  if (isOf(FIRST)) return "layout";
  return isOf(DEVICES) || LISTS.filter((list) => isOf([list])).length > 1 ? "lists" : undefined;
}

/** Icons by their hash alone: a page of cards names their file four hundred times. */
function assetFileNames({ names: [name] }: Rollup.PreRenderedAsset): string {
  return name?.endsWith(".svg") ? "assets/[hash][extname]" : "assets/[name]-[hash][extname]";
}

function isImported(id: string, entries: string[], getModuleInfo: Rollup.GetModuleInfo): boolean {
  const seen = new Set(entries);
  for (const each of seen) for (const imported of getModuleInfo(each)?.importedIds ?? []) seen.add(imported);
  return seen.has(id) && !entries.includes(id);
}

/**
 * sonner appends its style sheet to the page when it is imported; a strict style-src refuses that. The same sheet is
 * imported by app/styles/tailwind.css, so the call goes (and with it 14 kB of every first load).
 */
const sonnerWithoutInlineStyles: Plugin = {
  name: "sonner-without-inline-styles",
  transform: (code, id) =>
    id.includes("/sonner/dist/index.mjs")
      ? code.replace(/^__insertCSS\(".*"\);$/m, "").replace("__insertCSS", "_")
      : null,
};

export default defineConfig(({ isSsrBuild }) => ({
  // package.json lists .ts and .tsx for #app; Vite takes only the first target, so it needs the folder.
  resolve: { alias: [{ find: /^#app\//, replacement: app }] },
  plugins: [
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
      },
    }),
    tailwindcss(),
    sonnerWithoutInlineStyles,
  ],
  ssr: {
    target: "webworker",
    noExternal: true,
    resolve: {
      conditions: ["workerd", "worker", "browser"],
      externalConditions: ["workerd", "worker"],
    },
  },
  build: {
    minify: isSsrBuild ? "esbuild" : "terser", // for ten seconds more of building each screen loads 4 kB less
    sourcemap: false,
    modulePreload: { polyfill: false },
    rollupOptions: { output: isSsrBuild ? { assetFileNames } : { assetFileNames, manualChunks } },
  },
}));
