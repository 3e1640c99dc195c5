// What `npm run agent:build` makes beside the on-site agent's one file.
declare module "*/build/agent/agent.json" {
  const built: { version: string; sha256: string; bytes: number };
  export default built;
}

// What Remix builds from app/; wrangler bundles it into the worker.
declare module "*/build/server/index.js" {
  import type { ServerBuild } from "@remix-run/cloudflare";

  const build: ServerBuild;
  export = build;
}
