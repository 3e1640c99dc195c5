// What `npm run backup` and `npm run restore` say to the operator's door. `call(method, path, body)` answers the JSON, or
// throws what the server said; where the rows are kept is whoever's matter who calls.

/** So often a backup begins again where somebody edits the organization meanwhile. */
const TRIES = 5;
/** A page of rows on its way back, in bytes; one row alone may be more. */
const PAGE_BYTES = 400_000;

/**
 * Reads an organization. `begin(table)` begins the table's file, also anew; `write(line)` adds a row to it. Answers what
 * the manifest is to say but for its files. What is edited, and what the scheduler remembers, are read again where the
 * plan has changed meanwhile; logs only grow, and come last.
 */
export async function readBackup(call, org, { begin, write }) {
  const from = `/organizations/${encodeURIComponent(org)}/backup`;
  const read = async (table) => {
    await begin(table);
    for (let after = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const page = await call("GET", `${from}/${table}${after === null ? "" : `?after=${encodeURIComponent(after)}`}`);
      for (const row of page.rows) await write(JSON.stringify(row));
      after = page.next;
    }
  };
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { at, tables, logs, ...manifest } = await call("GET", from);
    for (const table of tables) if (!logs.includes(table)) await read(table);
    const after = await call("GET", from);
    if (after.at.version !== at.version || after.at.epoch !== at.epoch) continue;
    for (const table of logs) await read(table);
    return manifest;
  }
  throw new Error(`${org} was edited during each of ${TRIES} tries. Make the backup when fewer people are at work.`);
}

/** Brings a backup back. `linesOf(table)` are the rows of a table's file, one a line. Answers the organization's new epoch. */
export async function bringBack(call, manifest, linesOf) {
  const to = `/organizations/${encodeURIComponent(manifest.organization.id)}/restore`;
  const { id } = (await call("POST", to, JSON.stringify(manifest))).data;
  for (const { table } of manifest.files) {
    for await (const { first, text } of pagesOf(linesOf(table)))
      await call("PUT", `${to}/${id}/rows/${table}?first=${first}`, text);
  }
  try {
    return (await call("POST", `${to}/${id}/commit`, "")).data.epoch;
  } catch (error) {
    // The answer may be lost, and the restore done.
    const now = await call("GET", to.replace(/restore$/, "backup")).catch(() => null);
    if (now?.at.epoch !== id) throw error;
    return id;
  }
}

async function* pagesOf(lines) {
  let page = { first: 0, text: "" };
  let n = 0;
  for await (const line of lines) {
    if (page.text !== "" && page.text.length + line.length > PAGE_BYTES) {
      yield page;
      page = { first: n, text: "" };
    }
    page.text += `${line}\n`;
    n += 1;
  }
  if (page.text !== "") yield page;
}
