import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "./environments.mjs";
import { miniflare, wrangler } from "./tools.mjs";
import { UserError } from "./user-error.mjs";

const MIGRATIONS = "db/migrations";

/** As wrangler creates it. */
const APPLIED = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/**
 * Opens the local D1 of `state_dir` in this process and closes it after `work(d1)`. This does not wake the object. It works
 * beside a running server, but SQLite allows one write at a time, so either may have to wait.
 */
export async function withDatabase(state_dir, work, config = "wrangler.toml") {
  const { compatibility_date, d1_databases } = readConfig({ config });
  const { Miniflare } = miniflare();
  const running = new Miniflare({
    modules: true,
    script: "export default {}",
    compatibilityDate: compatibility_date,
    d1Databases: Object.fromEntries(d1_databases.map(({ binding, database_id }) => [binding, database_id])),
    defaultPersistRoot: join(state_dir, "v3"),
    cf: false,
  });
  try {
    return await work(await running.getD1Database("DB"));
  } finally {
    await running.dispose();
  }
}

/** The same once the tables are up to date. A UserError says why they cannot be. */
export async function withTables(state_dir, work) {
  let isCurrent = false;
  try {
    return await withDatabase(state_dir, async (d1) => {
      await migrate(d1);
      isCurrent = true;
      return work(d1);
    });
  } catch (error) {
    if (isCurrent || error instanceof UserError) throw error;
    const told = `The database in ${state_dir} could not be brought up to date:\n\n${reasonOf(error)}`;
    throw new UserError(told, { cause: error });
  }
}

/** The local runtime prints what SQLite said, and answers with a number for it. */
function reasonOf({ message }) {
  if (!message.includes("internal error; reference")) return message;
  return (
    "A file there is damaged or cannot be written to: the runtime's line about SQLite says which. One that is damaged stays so:" +
    " choose another folder with STATE_DIR, and restore a backup into it (OPERATING.md)."
  );
}

/**
 * Does `work` once more where Miniflare has broken an assertion of its own ("false == true", seen once in some thousand
 * starts): that says nothing of the database, and whoever starts a city should not have to do it twice.
 */
export async function despiteAssertions(work) {
  try {
    return await work();
  } catch (error) {
    if ((error.cause ?? error).code !== "ERR_ASSERTION") throw error;
    return work();
  }
}

/**
 * Applies the missing migrations, each with its row in wrangler's own table in one batch, as
 * `wrangler d1 migrations apply --local` does, which starts a runtime of its own for each of them.
 */
export async function migrate(d1) {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).toSorted();
  await d1.prepare(APPLIED).run();
  const { results } = await d1.prepare("SELECT name FROM d1_migrations").all();
  const applied = new Set(results.map((row) => row.name));
  for (const name of files.filter((file) => !applied.has(file))) await apply(d1, name);
}

/** All of a migration or nothing of it. */
async function apply(d1, name) {
  const queries = wrangler().unstable_splitSqlQuery(await readFile(join(MIGRATIONS, name), "utf8"));
  const record = d1.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
  await d1.batch([...queries.map((query) => d1.prepare(query)), record]).catch((error) => {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  });
}
