/** A cell that a spreadsheet would take for a formula, or for a command. */
const FORMULA = /^[=+\-@\t\r\n]/;
const QUOTED = /[",\r\n]/;

/** One line by RFC 4180, with its line end. Text that a spreadsheet would reckon with is led by an apostrophe. */
export function csvLine(cells: (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
