import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "./environments.mjs";
import { miniflare, wrangler } from "./tools.mjs";
import { UserError } from "./user-error.mjs";

const MIGRATIONS = "db/migrations";

/** Who writes beside a running server waits for its turn: so often, and so far apart, it is tried again. */
const [TRIES, APART_MS] = [60, 250];
const BUSY = "SQLITE_BUSY";

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
export function withDatabase(state_dir, work, config = "wrangler.toml") {
  return opened(state_dir, work, config);
}

async function opened(state_dir, work, config, options = {}) {
  const { compatibility_date, d1_databases } = readConfig({ config });
  const { Miniflare } = miniflare();
  const running = new Miniflare({
    modules: true,
    script: "export default {}",
    compatibilityDate: compatibility_date,
    d1Databases: Object.fromEntries(d1_databases.map(({ binding, database_id }) => [binding, database_id])),
    defaultPersistRoot: join(state_dir, "v3"),
    cf: false,
    ...options,
  });
  try {
    return await work(await running.getD1Database("DB"));
  } finally {
    await running.dispose();
  }
}

/**
 * The same once the tables are up to date. A UserError says why they cannot be. While a running server writes, the work
 * is done again, so it has to be one batch.
 */
export async function withTables(state_dir, work) {
  const runtime = { said: "" };
  const handleRuntimeStdio = (stdout, stderr) => {
    stdout.resume();
    stderr.on("data", (chunk) => (runtime.said += chunk));
  };
  let isCurrent = false;
  try {
    return await opened(
      state_dir,
      async (d1) => {
        await whileBusy(runtime, () => migrate(d1));
        isCurrent = true;
        return await whileBusy(runtime, () => work(d1));
      },
      "wrangler.toml",
      { handleRuntimeStdio },
    );
  } catch (error) {
    if (error instanceof UserError || (isCurrent && !isOfRuntime(error))) throw error;
    if (!isBusy(error, runtime)) process.stderr.write(runtime.said);
    const failed = isCurrent ? "written to" : "brought up to date";
    const told = `The database in ${state_dir} could not be ${failed}:\n\n${reasonOf(error, runtime)}`;
    throw new UserError(told, { cause: error });
  }
}

async function whileBusy(runtime, step) {
  for (let tries = 1; ; tries += 1) {
    runtime.said = "";
    try {
      return await step();
    } catch (error) {
      if (!isOfRuntime(error)) throw error;
      await sleep(APART_MS); // also for the runtime's line, which comes behind the error
      if (tries === TRIES || !isBusy(error, runtime)) throw error;
    }
  }
}

/** What became of a file, not what a statement asked for. */
export function isOfRuntime(error) {
  return isUnexplained(error) || error.message.includes(BUSY);
}

/** The local runtime mostly prints what SQLite said, and answers with a number for it. */
function isUnexplained({ message }) {
  return message.includes("internal error; reference");
}

function isBusy({ message }, { said }) {
  return message.includes(BUSY) || said.includes(BUSY);
}

function reasonOf(error, runtime) {
  if (isBusy(error, runtime))
    return "A running server writes to it all the time. Nothing was changed: run the same again.";
  if (!isUnexplained(error)) return error.message;
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
