import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { build } from "vite";

const OUT = "build/agent";

/** Bundles the on-site agent with the two packages that it needs into one readable file for Node 20, and describes it. */
export async function bundleAgent() {
  const footer = `\n/*\n${(await Promise.all(["ws", "zod"].map(licence))).join("\n\n")}\n*/`;
  await build({
    configFile: false,
    logLevel: "error",
    // ws would take two packages of machine code where they are installed; here they never are.
    define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: "worker/agent/main.ts",
      outDir: OUT,
      emptyOutDir: true,
      target: "node20",
      minify: false,
      copyPublicDir: false,
      commonjsOptions: { ignore: ["bufferutil", "utf-8-validate"] },
      rollupOptions: {
        output: {
          format: "es",
          entryFileNames: "agent.mjs",
          inlineDynamicImports: true,
          banner: "#!/usr/bin/env node",
          footer,
        },
      },
    },
  });
  const bundle = await readFile(`${OUT}/agent.mjs`);
  const source = await readFile("worker/agent/version.ts", "utf8");
  const version = /AGENT_VERSION = "([^"]+)"/.exec(source)?.[1];
  const sha256 = createHash("sha256").update(bundle).digest("hex");
  await mkdir(OUT, { recursive: true });
  await writeFile(`${OUT}/agent.json`, `${JSON.stringify({ version, sha256, bytes: bundle.byteLength })}\n`);
}

async function licence(name) {
  const text = await readFile(`node_modules/${name}/LICENSE`, "utf8");
  return `Contains ${name}:\n\n${text.trim().replaceAll("*/", "* /")}`;
}
