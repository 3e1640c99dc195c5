/**
 * Text that a spreadsheet would take for a formula or a command, in a full-width writing too; and such text behind
 * apostrophes, so that reading takes away exactly what writing has put there.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * One line by RFC 4180, with its line end. Every cell is quoted, whatever separator a spreadsheet expects; text that it
 * would calculate with gets a leading apostrophe.
 */
export function csvLine(cells: (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | number | null): string {
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value ?? "");
  return `"${text.replaceAll('"', '""')}"`;
}

/** What a cell meant that `csvLine` wrote: without the apostrophe in front of what would be a formula. */
export function cellText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
