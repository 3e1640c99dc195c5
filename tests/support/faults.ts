import type { Fault } from "#durable/providers/mock";
import type { Server } from "./server";

/** Sets the faults of simulated lamps ('lamp:{cloud id}') and hubs ('hub:{id}') of a running server; [] heals them. */
export async function setFaults(server: Server, faults: Record<string, Fault[]>): Promise<void> {
  for (const [of, list] of Object.entries(faults)) {
    await server.inObject(
      "demo-parks",
      "INSERT OR REPLACE INTO faults (of, body) VALUES (?, ?)",
      of,
      JSON.stringify(list),
    );
  }
}
