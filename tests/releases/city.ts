import { readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { around, CLOCK, DOOR } from "./around";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read the answers freely
type Json = any;
type Value = string | number | null;
export type Row = Record<string, Value>;
export type Answer = { status: number; json: Json };

const WORKER = {
  compatibilityDate: "2026-04-20",
  compatibilityFlags: ["nodejs_compat"],
  d1Databases: { DB: "city" },
  durableObjects: {
    SCHEDULER: { className: "OrgScheduler", useSQLite: true },
    RUNNER: { className: "Runner", useSQLite: true },
  },
  ratelimits: {
    SIGN_INS: { simple: { limit: 100, period: 60 } },
    AGENT_TRIES: { simple: { limit: 100, period: 60 } },
  },
  bindings: {
    DEMO: "on",
    DIRECT_HUBS: "off",
    CONNECTIONS: "6",
    CLIENT_ADDRESS_HEADER: "none",
    LOG_RETENTION_DAYS: "400",
    MAP_TILES_URL: "",
    // Also of the states that are kept, so they stay as they are.
    SESSION_SECRET: "the secret of the kept releases, which no city uses",
    SETTINGS_KEY: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    TWILIO_ACCOUNT_SID: "",
    TWILIO_AUTH_TOKEN: "",
    TWILIO_FROM: "",
  },
} satisfies Partial<MiniflareOptions>;

type Line = { level: string; message: string };

/** A database and the objects beside it as SQL; the objects' by organization. */
export type State = { d1: string[]; objects: Record<string, string[]> };

/**
 * A city in the real runtime, on a clock of its own, whose code can be replaced while its state stays. `at` is an instant in
 * epoch ms.
 */
export class City {
  url = "";
  /** What the code that runs has logged as an error. */
  errors: string[] = [];
  #at = 0;

  private constructor(
    readonly runtime: Miniflare,
    readonly folder: string,
  ) {}

  /** A city without any table, in `folder`, that runs nothing yet. */
  static in(folder: string): City {
    return new City(new Miniflare({ modules: true, script: "export default {}", cf: false }), folder);
  }

  /** Runs this code from now on. An object that has nothing yet begins with what `states` has for it. */
  async run(code: string, at: number, states: Record<string, string[]> = {}): Promise<void> {
    this.errors = [];
    await this.runtime.setOptions({
      ...WORKER,
      cf: false,
      host: "127.0.0.1",
      handleStructuredLogs: ({ level, message }: Line) => this.#note(level, message),
      defaultPersistRoot: this.folder,
      modulesRoot: "/",
      modules: Object.entries({ "around.js": around(at, states), "clock.js": CLOCK, "index.js": code }).map(
        ([path, contents]) => ({ type: "ESModule" as const, path: `/${path}`, contents }),
      ),
    });
    this.#at = at - performance.now();
    this.url = (await this.runtime.ready).origin;
  }

  /** What the city's clock shows (epoch ms). */
  get now(): number {
    return Math.round(this.#at + performance.now());
  }

  #note(level: string, message: string): void {
    if (message.startsWith("NOSENTRY ")) return;
    const isError = level === "error" || /"level":"error"/.test(message);
    if (isError) this.errors.push(message);
  }

  /** Everything that D1 lacks of the migrations as they are now; whoever runs goes on meanwhile. */
  async migrateD1(): Promise<void> {
    const d1 = await this.d1();
    const table =
      "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT)";
    await d1.prepare(table).run();
    const { results } = await d1.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
    const missing = (await readD1Migrations("db/migrations")).filter(
      ({ name }) => !results.some((row) => row.name === name),
    );
    const note = "INSERT INTO d1_migrations (name) VALUES (?)";
    for (const { name, queries } of missing)
      await d1.batch([...queries.map((query) => d1.prepare(query)), d1.prepare(note).bind(name)]);
  }

  d1(): Promise<Awaited<ReturnType<Miniflare["getD1Database"]>>> {
    return this.runtime.getD1Database("DB");
  }

  async query(statement: string, ...values: Value[]): Promise<Row[]> {
    const d1 = await this.d1();
    const { results } = await d1
      .prepare(statement)
      .bind(...values)
      .all<Row>();
    return results;
  }

  inObject(org_id: string, statement: string, ...values: Value[]): Promise<Row[]> {
    return this.#ask("sql", { org_id, statement, values });
  }

  /** Lets it be `at`, and each organization's object serve what is due by then, verifications of it included. */
  async to(at: number, ...org_ids: string[]): Promise<void> {
    for (const then of [at, at + 10_000, at + 20_000]) {
      this.#at = then - performance.now();
      await this.#ask("clock", { at: then });
      for (const org_id of org_ids) await this.#ask("ring", { org_id });
      await this.#untilCalled(org_ids);
    }
  }

  async #untilCalled(org_ids: string[]): Promise<void> {
    const open = "SELECT 1 FROM calls UNION ALL SELECT 1 FROM outbox WHERE set_aside IS NULL LIMIT 1";
    for (let tries = 0; tries < 100; tries += 1) {
      const left = await Promise.all(org_ids.map((org_id) => this.inObject(org_id, open)));
      if (left.flat().length === 0) return;
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Whether D1 answers the objects; the API has it all the while. */
  async takeD1(isAway: boolean): Promise<void> {
    await this.#ask("away", { isAway });
  }

  async sync(org_id: string): Promise<void> {
    await this.#ask("sync", { org_id });
  }

  async #ask(what: string, body: Json): Promise<Json> {
    const response = await fetch(`${this.url}${DOOR}/${what}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** The API, as whom the token says. */
  async call(token: string | null, method: string, path: string, body?: Json): Promise<Answer> {
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: await response.json() };
  }

  async signIn(email: string): Promise<string> {
    const { status, json } = await this.call(null, "POST", "/auth/login", { email, password: "lamplighter-demo" });
    if (status !== 200) throw new Error(`${email} was not let in: ${status} ${JSON.stringify(json)}`);
    return json.access_token;
  }

  /** All rows of D1 and of the objects, as statements that make them again. */
  async dump(org_ids: string[]): Promise<State> {
    const d1 = await dumped((statement) => this.query(statement));
    const objects: Record<string, string[]> = {};
    for (const org_id of org_ids) {
      objects[org_id] = await dumped((statement) => this.inObject(org_id, statement));
    }
    return { d1, objects };
  }

  /** Fills an empty D1. */
  async load(statements: string[]): Promise<void> {
    const d1 = await this.d1();
    const [first, ...rest] = ["PRAGMA defer_foreign_keys = on", ...statements].map((text) => d1.prepare(text));
    if (first) await d1.batch([first, ...rest]);
  }

  stop(): Promise<void> {
    return this.runtime.dispose();
  }
}

/** A statement may have 100 kB in D1. */
const MOST_CHARS = 60_000;

/** Tables first, rows then, and at the end what would act on the rows. */
async function dumped(query: (statement: string) => Promise<Row[]>): Promise<string[]> {
  const made = await query(
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY rowid",
  );
  const tables = made.filter(({ type }) => type === "table");
  const others = made.filter(({ type }) => type !== "table");
  const rows: string[] = [];
  for (const { name } of tables) {
    const columns = await query(`SELECT name FROM pragma_table_xinfo('${name}') WHERE hidden = 0`);
    const values = columns.map((column) => `quote("${column["name"]}")`).join(` || ',' || `);
    const all = await query(`SELECT ${values} AS row FROM "${name}"`);
    const head = `INSERT INTO "${name}" (${columns.map((column) => `"${column["name"]}"`).join(", ")}) VALUES`;
    rows.push(...inserts(head, all));
  }
  const sequences = await query("SELECT name, seq FROM sqlite_sequence").catch(() => []);
  const counted = sequences
    .filter(({ name }) => tables.some((table) => table["name"] === name))
    .map(({ name, seq }) => `UPDATE sqlite_sequence SET seq = ${seq} WHERE name = '${name}'`);
  return [...tables.map(({ sql }) => String(sql)), ...rows, ...counted, ...others.map(({ sql }) => String(sql))];
}

function inserts(head: string, rows: Row[]): string[] {
  const statements: string[] = [];
  let text = "";
  for (const { row } of rows) {
    if (text.length + String(row).length > MOST_CHARS) {
      statements.push(`${head} ${text}`);
      text = "";
    }
    text += `${text === "" ? "" : ","}\n(${row})`;
  }
  return text === "" ? statements : [...statements, `${head} ${text}`];
}
