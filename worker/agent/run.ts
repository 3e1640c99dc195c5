import { once } from "node:events";
import { makeFolder } from "../local/make-folder.mjs";
import { startAgent } from "./agent";
import { realMeans } from "./means";
import { readConfig } from "./read-config";

/** Where the program keeps what must survive a power cut; systemd names it. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  return env.STATE_DIRECTORY ?? "/var/lib/lamplighter-agent";
}

/** Runs until it is told to stop; the exit code. A fault that nobody expected ends it, and systemd starts it again. */
export async function run(): Promise<number> {
  const read = await readConfig();
  if (!read.ok) {
    console.error(read.detail);
    return 1;
  }
  const folder = stateFolder(process.env);
  try {
    await makeFolder(folder, 0o700);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    console.error(
      `What must survive a power cut can't be kept, ${code} at ${folder}: give STATE_DIRECTORY a folder that the agent may write to`,
    );
    return 1;
  }
  const agent = await startAgent(read.config, { folder, means: realMeans() });
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  await agent.stop("the program was stopped");
  return 0;
}
