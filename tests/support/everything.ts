import { env } from "cloudflare:workers";

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table'
  AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'd1_%' AND name NOT LIKE '_cf_%' ORDER BY name`;

/** Every row of every table. */
export async function everything(): Promise<Record<string, unknown[]>> {
  const { results: tables } = await env.DB.prepare(TABLES).all<{ name: string }>();
  const rows = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}" ORDER BY rowid`)));
  return Object.fromEntries(tables.map(({ name }, i) => [name, rows[i]?.results ?? []]));
}

/**
 * Every row of every table as JSON, to show that nothing changed. SQLite writes the JSON, which takes a fraction of the
 * time that reading and comparing each value here would.
 */
export async function snapshot(): Promise<Record<string, string[]>> {
  const { results: tables } = await env.DB.prepare(
    `SELECT name, (SELECT group_concat('"' || column.name || '"') FROM pragma_table_info(tables.name) AS column) AS columns
     FROM (${TABLES}) AS tables`,
  ).all<{ name: string; columns: string }>();
  const rows = await env.DB.batch<{ row: string }>(
    tables.map(({ name, columns }) =>
      env.DB.prepare(`SELECT json_array(${columns}) AS row FROM "${name}" ORDER BY rowid`),
    ),
  );
  return Object.fromEntries(tables.map(({ name }, i) => [name, (rows[i]?.results ?? []).map(({ row }) => row)]));
}
