/** Text that a spreadsheet would take for a formula or a command, in a full-width writing too. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

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
