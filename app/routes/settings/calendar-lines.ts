import type { Calendar } from "#domain/records/records";

/** Dates as the form's lines: '2026-11-26 Thanksgiving'. */
export function linesOf(dates: Calendar["dates"]): string {
  return dates.map(({ date, name }) => `${date} ${name}`.trim()).join("\n");
}

/** The dates of the form's lines. A line that begins with no date is left to the schema, which names it. */
export function datesOfLines(lines: string): { date: string; name: string }[] {
  return lines
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [date = "", ...name] = line.split(/\s+/);
      return { date, name: name.join(" ") };
    });
}
