import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { OFFSET_MS } from "./clock";
import { realDatabase, shiftedDatabase } from "./shifted-database";

// Runs before each test file: the files of a runtime share it, but neither rows nor objects.
await reset();
await applyD1Migrations(realDatabase, env.TEST_MIGRATIONS);
if (OFFSET_MS !== 0) Object.assign(env, { DB: shiftedDatabase(realDatabase) });
