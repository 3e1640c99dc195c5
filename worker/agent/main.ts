import { mkdir } from "node:fs/promises";
import { readConfig } from "./read-config";
import { startAgent } from "./agent";
import { realMeans } from "./means";

await run();

/** Runs until it is told to stop. */
async function run(): Promise<void> {
  const folder = process.env.STATE_DIRECTORY ?? "/var/lib/lamplighter-agent";
  const read = await readConfig();
  if (!read.ok) return fail(read.detail);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const agent = await startAgent(read.config, { folder, means: realMeans() });
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => void agent.stop("the program is stopped").then(() => process.exit(0)));
  }
}

function fail(detail: string): void {
  console.error(detail);
  process.exitCode = 1;
}
