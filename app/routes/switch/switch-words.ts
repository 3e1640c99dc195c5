import { counted, grouped } from "#domain/counted";
import type { SwitchAction } from "#domain/enums";

/** What a toggle is for: one light, or all lights of an area or a group. */
export type SwitchTarget = { value: string; name: string; lights: number; isMany: boolean };

/** 'Turn off 8 lights', 'Turn on Pitch A south mast'. */
export function turnWords(action: SwitchAction, { name, lights, isMany }: SwitchTarget): string {
  return `Turn ${action} ${isMany ? counted(lights, "light") : name}`;
}

type Row = { success: boolean; pending: boolean; detail: string | null };

/** '8 lights turned off', '6 of 8 lights turned off; 2 still trying', '5 of 8 lights turned on; 2 still trying, 1 failed'. */
export function manyWords(action: SwitchAction | "auto", rows: Row[]): string {
  const done = rows.filter(({ success }) => success).length;
  const trying = rows.filter(({ success, pending }) => !success && pending).length;
  const failed = rows.length - done - trying;
  const verb = action === "auto" ? "returned to their schedules" : `turned ${action}`;
  const count = done === rows.length ? counted(done, "light") : `${grouped(done)} of ${counted(rows.length, "light")}`;
  const rest = [
    ...(trying > 0 ? [`${grouped(trying)} still trying`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
  ];
  return `${count} ${verb}${rest.length > 0 ? `; ${rest.join(", ")}` : ""}`;
}

/** As many lines as a message can say without covering the screen. */
const MOST_LINES = 8;

/** The first lights that failed, a line each, and how many more did; null where none did. */
export function failedWords(lines: string[]): string | null {
  const more = lines.length - MOST_LINES;
  if (more <= 0) return lines.join("\n") || null;
  return [...lines.slice(0, MOST_LINES), `and ${counted(more, "more light")}`].join("\n");
}
