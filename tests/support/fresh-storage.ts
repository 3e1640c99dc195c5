import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { OFFSET_MS } from "./clock";
import { realDatabase, shiftedDatabase } from "./shifted-database";

// Runs before each test file: the files of a runtime share it, but neither rows nor objects.
await reset();
// A call that the last file left under way can hold its database through a reset.
for (let tries = 0; await isOld(); tries += 1) {
  if (tries === 20) throw new Error("the database of the last test file is still there");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await reset();
}
// All in one batch, because each batch waits for the disk.
const queries = env.TEST_MIGRATIONS.flatMap((migration) => migration.queries);
await realDatabase.batch(queries.map((query) => realDatabase.prepare(query)));
if (OFFSET_MS !== 0) Object.assign(env, { DB: shiftedDatabase(realDatabase) });

async function isOld(): Promise<boolean> {
  const table = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'organizations'";
  return (await realDatabase.prepare(table).first()) !== null;
}
