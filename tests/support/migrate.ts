import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { OFFSET_MS } from "./clock";
import { shiftedDatabase } from "./shifted-database";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
if (OFFSET_MS !== 0) Object.assign(env, { DB: shiftedDatabase(env.DB) });
