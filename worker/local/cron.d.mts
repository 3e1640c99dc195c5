import type { Miniflare } from "miniflare";
import type { BuiltWorker } from "./runtime.mjs";

/** The worker with a door for its crons that only this process can open. `ring` rejects with what the work failed with. */
export function withCrons(worker: BuiltWorker): {
  worker: BuiltWorker;
  ring: (miniflare: Miniflare, cron: string) => Promise<void>;
};
