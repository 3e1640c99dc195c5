import { resolve } from "node:path";
import { build, type Plugin } from "esbuild";

/** What is built for browsers and for downloading is not part of it. */
const UNBUILT: [RegExp, string][] = [
  [/\/build\/server(\/index(\.js)?)?$/, "tests/support/unbuilt-screens.ts"],
  [/\/build\/agent\/agent\.json$/, "tests/support/unbuilt-agent.json"],
];

const unbuilt: Plugin = {
  name: "unbuilt",
  setup: ({ onResolve }) => {
    for (const [filter, path] of UNBUILT) onResolve({ filter }, () => ({ path: resolve(path) }));
    onResolve({ filter: /^(cloudflare|node):/ }, ({ path }) => ({ path, external: true }));
  },
};

/** The worker as one small ES module for the runtime, without its screens; bundled as for a deployment, in two seconds. */
export async function bundleWorker(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ["worker/index.ts"],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    conditions: ["workerd", "worker", "browser"],
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [unbuilt],
    logLevel: "warning",
  });
  return outputFiles[0]?.text ?? "";
}
