import { readFileSync } from "node:fs";
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
const LISTS = routes("areas", "hubs", "devices", "schedules", "workorders");

/**
 * The framework in one file, what the first screens are made of in another, and what lists are made of in a third. On
 * its own each icon and hook would be a request, of which a phone has few at a time, and an archive with nothing to share.
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
  if (isOf(FIRST) || FIRST_ICONS.test(id)) return "layout";
  return isOf(LISTS) ? "lists" : undefined;
}

function isImported(id: string, entries: string[], getModuleInfo: Rollup.GetModuleInfo): boolean {
  const seen = new Set(entries);
  const icons = new Set<string>();
  for (const each of seen) {
    const { importedIds, code } = getModuleInfo(each) ?? { importedIds: [], code: null };
    for (const name of iconsNamedIn(code ?? "")) icons.add(name);
    for (const imported of importedIds) if (!ICON.test(imported)) seen.add(imported);
  }
  const [, icon] = ICON.exec(id) ?? [];
  if (icon !== undefined) return namesOf(icon, getModuleInfo).some((name) => icons.has(name));
  return seen.has(id) && !entries.includes(id);
}

/** lucide-react has all its icons in one module; which of them a module uses, only its code says. */
const ICON = /lucide-react\/dist\/esm\/icons\/(.+)$/;

/** Rollup gives these to the lists, which use them as well, unless they are named. */
const FIRST_ICONS = /icons\/(lightbulb|search|triangle-exclamation-point)\.mjs$/;

function iconsNamedIn(code: string): string[] {
  const [, names = ""] = /import \{([^}]*)\} from "lucide-react"/.exec(code) ?? [];
  return names.split(",").map((name) => name.trim().split(" as ")[0] ?? "");
}

/** What an icon's file is exported as: 'TriangleAlert' for 'triangle-exclamation-point.mjs'. */
function namesOf(icon: string, getModuleInfo: Rollup.GetModuleInfo): string[] {
  const code = getModuleInfo(ALL_ICONS)?.code ?? "";
  const line = code.split("\n").find((line) => line.includes(`/icons/${icon}'`) || line.includes(`/icons/${icon}"`));
  return [...(line ?? "").matchAll(/default as (\w+)/g)].flatMap(([, name]) => name ?? []);
}

const ALL_ICONS = fileURLToPath(new URL("./node_modules/lucide-react/dist/esm/lucide-react.mjs", import.meta.url));

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

/**
 * Imports each icon from its own file. Through lucide's index every file that has one icon would count as importing all of
 * them, and the first screens would load the icons of every other (manualChunks cannot see which names are used).
 */
const iconByIcon: Plugin = {
  name: "icon-by-icon",
  enforce: "pre",
  transform: (code, id) =>
    id.startsWith(app)
      ? code.replace(/import \{([^}]+)\} from "lucide-react";/g, (_, names: string) =>
          names
            .split(",")
            .map((name) => name.trim())
            .filter((name) => name !== "" && !name.startsWith("type "))
            .map((name) => `import ${name} from ${JSON.stringify(iconFile(name))};`)
            .join(" "),
        )
      : null,
};

const lucide = fileURLToPath(new URL("./node_modules/lucide-react/dist/esm/", import.meta.url));
const icons = readFileSync(`${lucide}lucide-react.mjs`, "utf8");

function iconFile(name: string): string {
  const file = new RegExp(`\\bdefault as ${name}\\b.*from '\\./(icons/[a-z0-9-]+\\.mjs)'`).exec(icons)?.[1];
  if (!file) throw new Error(`lucide-react has no icon ${name}`);
  return lucide + file;
}

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
    iconByIcon,
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
    minify: true,
    sourcemap: false,
    modulePreload: { polyfill: false },
    rollupOptions: { output: isSsrBuild ? {} : { manualChunks } },
  },
}));
