type Row = Record<string, string | number | null>;
type Ask = (statement: string) => Promise<Row[]>;

/** What code can rely on in a database: of each table its columns and rules as they are written, and what else was made. */
export type Shape = {
  tables: Map<string, Set<string>>;
  others: Map<string, { type: string; table: string; sql: string }>;
};

const MADE = `SELECT sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`;

export async function shapeOf(ask: Ask): Promise<Shape> {
  const rows = await ask(MADE);
  return shapeIn(rows.map(({ sql }) => String(sql)));
}

/** The shape that these statements make; those that make nothing are passed over. */
export function shapeIn(statements: string[]): Shape {
  const tables = new Map<string, Set<string>>();
  const others: Shape["others"] = new Map();
  for (const sql of statements) {
    const [, type, name = ""] = /^CREATE (?:UNIQUE )?(TABLE|INDEX|TRIGGER|VIEW) [`"]?(\w+)/i.exec(sql) ?? [];
    if (type === undefined) continue;
    if (/table/i.test(type)) tables.set(name, partsOf(sql));
    else others.set(name, { type: type.toLowerCase(), table: / ON [`"]?(\w+)/i.exec(sql)?.[1] ?? "", sql });
  }
  return { tables, others };
}

/** What code that knew `before` could stumble over in `after`; nothing, if the tables were only widened. */
export function narrowings(before: Shape, after: Shape): string[] {
  const tables = [...before.tables].flatMap(([table, parts]) => {
    const now = after.tables.get(table);
    if (!now) return [`${table} is gone`];
    const gone = [...parts].filter((part) => !now.has(part)).map((part) => `${table} lacks ${part}`);
    const added = [...now]
      .filter((part) => !parts.has(part) && isStrict(part))
      .map((part) => `${table} asks for ${part}`);
    return [...gone, ...added];
  });
  const gone = [...before.others].flatMap(([name, { type }]) =>
    type !== "index" && !after.others.has(name) ? [`the ${type} ${name} is gone`] : [],
  );
  const strict = [...after.others].flatMap(([name, { table, sql }]) => {
    const isNew = before.tables.has(table) && before.others.get(name)?.sql !== sql;
    return isNew && /^CREATE UNIQUE|\bRAISE\b/i.test(sql) ? [`${name} refuses rows of ${table}`] : [];
  });
  return [...tables, ...gone, ...strict];
}

/** Whether a row of somebody who does not know of this column or rule may be refused. */
function isStrict(part: string): boolean {
  return /\b(CHECK|UNIQUE|PRIMARY KEY)\b/i.test(part) || (/\bNOT NULL\b/i.test(part) && !/\bDEFAULT\b/i.test(part));
}

/** The columns and rules of CREATE TABLE, without comments and spaces that mean nothing. */
function partsOf(sql: string): Set<string> {
  const text = sql.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ");
  const parts = [""];
  let depth = 0;
  for (const [token] of text.matchAll(/'[^']*'|"[^"]*"|`[^`]*`|[(),]|[^'"`(),]+/g)) {
    if (token === "(" && depth === 0) parts[0] = "";
    else if (token === "," && depth === 1) parts.push("");
    else if (!(token === ")" && depth === 1)) parts.push((parts.pop() ?? "") + (depth === 0 ? "" : token));
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
  }
  return new Set(parts.map((part) => part.trim()));
}
