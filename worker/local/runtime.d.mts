import type { MiniflareOptions } from "miniflare";

/** A worker for Miniflare; the first module is its entry. */
export type BuiltWorker = {
  name: string;
  modulesRoot: string;
  modules: { type: "ESModule"; path: string; contents?: string }[];
  bindings?: Record<string, string>;
};

/** The worker as a deployment has it, built if it is not, with what wrangler.toml and .dev.vars bind to it. */
export function builtWorker(): Promise<BuiltWorker>;
/** What Miniflare needs to run a worker on the state in `state_dir`; `log(level, line)` gets what the worker writes. */
export function runtimeOptions(of: {
  port: number;
  state_dir: string;
  worker: BuiltWorker;
  log: (level: string, line: string) => void;
}): MiniflareOptions;
