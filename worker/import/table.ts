import { grouped } from "#domain/counted";
import { CsvError, parse } from "csv-parse/sync";
import { cellText } from "#domain/lists/csv";
import { MAX_IMPORT_ROWS } from "#domain/fields/limits";
import { columnOf, COLUMN_KEYS, LABELS, type ColumnKey } from "./columns";
import { quoted } from "./quoted";

/** A row by its columns: those that the file does not have are absent. `row` is the number a spreadsheet shows. */
export type Row = { row: number; cells: Partial<Record<ColumnKey, string>>; surplus: number };
export type Table = { ok: true; rows: Row[] } | { ok: false; sentence: string };

/** Blank lines count while they are read, or a file of nothing else would fill the memory. */
const MAX_RECORDS = 4 * MAX_IMPORT_ROWS;

/** The rows of a CSV text; or, in a sentence, why it has none. Commas, semicolons or tabs; quotes as RFC 4180 has them. */
export function readTable(text: string): Table {
  const start = text
    .slice(0, 1_000)
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (start === "") return no("The file is empty.");
  if (start.startsWith("<")) return no("This is a web page, not a CSV file.");
  if (/^[{[]/.test(start)) return no("This is JSON, not a CSV file.");
  const records = recordsOf(text);
  if (typeof records === "string") return no(records);
  const [header = [], ...body] = records;
  const columns = columnsOf(header);
  if (typeof columns === "string") return no(columns);
  const rows = body
    .map((cells, i) => ({ row: i + 2, cells: byColumn(columns, cells), surplus: surplusOf(columns, cells) }))
    .filter(({ cells, surplus }) => surplus > 0 || Object.values(cells).some((cell) => cell !== ""));
  if (rows.length === 0) return no("The file has a header and no rows.");
  if (isTooLong(rows)) return no(`The file has more than ${MOST} rows of one kind. Split it into several.`);
  if (records.length >= MAX_RECORDS) return no("The file has too many lines. Take out the empty ones, or split it.");
  return { ok: true, rows };
}

const MOST = grouped(MAX_IMPORT_ROWS);

/** Counted by kind: what a city of that many lights exports has its areas and hubs beside them. */
function isTooLong(rows: Row[]): boolean {
  const counts = new Map<string, number>();
  for (const { cells } of rows) {
    const kind = cells.kind?.toLowerCase() ?? "";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Math.max(...counts.values()) > MAX_IMPORT_ROWS;
}

function no(sentence: string): Table {
  return { ok: false, sentence };
}

/** Every record as it stands in the file, blank lines too: what a spreadsheet shows as row 7 is the seventh. */
function recordsOf(text: string): string[][] | string {
  const delimiter = delimiterOf(text);
  try {
    return parse(text, {
      bom: true,
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      // A tab would count as white space around the cells that it divides.
      trim: delimiter !== "\t",
      to: MAX_RECORDS,
    });
  } catch (caught) {
    if (!(caught instanceof CsvError)) throw caught;
    return caught.code === "CSV_QUOTE_NOT_CLOSED"
      ? "A quotation mark is opened and never closed. Put a text with quotation marks into quotation marks, and double those inside."
      : `The quotation marks in line ${Number(caught["lines"]) || 1} do not match. Put a text with quotation marks into quotation marks, and double those inside.`;
  }
}

/** Spreadsheets write what divides decimals in their country: the header tells, which has neither in its names. */
function delimiterOf(text: string): string {
  const [header = ""] = text.split(/[\r\n]/, 1);
  const counts = [",", ";", "\t"].map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ",";
}

function columnsOf(header: string[]): (ColumnKey | null)[] | string {
  const columns: (ColumnKey | null)[] = [];
  for (const cell of header) {
    const column = columnOf(cell) ?? null;
    if (column === null && cell.trim() !== "") {
      if (!header.some((name) => columnOf(name) !== undefined)) return NO_HEADER;
      return `The column ${quoted(cell)} is not known. The columns are: ${LABELS.join(", ")}.`;
    }
    if (column !== null && columns.includes(column)) return `The column ${quoted(cell)} stands there twice.`;
    columns.push(column);
  }
  const missing = (["kind", "name"] as const).some((key) => !columns.includes(key));
  return missing ? NO_HEADER : columns;
}

const NO_HEADER =
  "The first row must name the columns, with Kind and Name among them. The template has all of them in their order.";

function byColumn(columns: (ColumnKey | null)[], cells: string[]): Row["cells"] {
  const row: Row["cells"] = {};
  for (const key of COLUMN_KEYS) {
    const at = columns.indexOf(key);
    if (at >= 0) row[key] = cellText(cells[at] ?? "").trim();
  }
  return row;
}

/** How many cells stand where the header names no column: a text with a comma and without quotation marks, mostly. */
function surplusOf(columns: (ColumnKey | null)[], cells: string[]): number {
  return cells.filter((cell, at) => !columns[at] && cell.trim() !== "").length;
}
