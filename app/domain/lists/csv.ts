/**
 * Text that a spreadsheet would run as a formula or a command, also with full-width signs or behind apostrophes, so that
 * reading removes exactly what writing added.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * One line by RFC 4180, with its line end. Quotes every cell, so that any separator works, and puts an apostrophe before
 * text that a spreadsheet would calculate.
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
