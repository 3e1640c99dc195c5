import type { FieldErrors } from "#domain/errors";
import type { Calendar } from "#domain/records/records";

/** Dates as the form's lines: '2026-11-26 Thanksgiving'. */
export function linesOf(dates: Calendar["dates"]): string {
  return dates.map(({ date, name }) => `${date} ${name}`.trim()).join("\n");
}

/** The dates of the form's lines. A line that begins with no date is left to the schema, which names it. */
export function datesOfLines(lines: string): { date: string; name: string }[] {
  return filledLines(lines).map(({ line }) => {
    const [date = "", ...name] = line.split(/\s+/);
    return { date, name: name.join(" ") };
  });
}

/** The errors with the first date that is wrong named by its line: 'Line 3: ...', as one counts them, empty ones too. */
export function linesOfErrors(errors: FieldErrors, lines: string): FieldErrors {
  const [path, message] = Object.entries(errors).find(([name]) => name.startsWith("dates.")) ?? [];
  const filled = path && filledLines(lines)[Number(path.split(".")[1])];
  return filled ? { dates: `Line ${filled.number}: ${message}`, ...errors } : errors;
}

function filledLines(lines: string): { number: number; line: string }[] {
  return lines
    .split(/\r?\n/)
    .map((line, at) => ({ number: at + 1, line: line.trim() }))
    .filter(({ line }) => line !== "");
}
