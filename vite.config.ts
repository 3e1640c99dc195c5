import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

declare module "@remix-run/cloudflare" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface Future {
    v3_singleFetch: true;
  }
}

const app = fileURLToPath(new URL("./app/", import.meta.url));

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

export default defineConfig({
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
  build: { minify: true, sourcemap: false },
});
