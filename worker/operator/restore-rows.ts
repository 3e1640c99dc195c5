import { z } from "zod";
import type { BackupRow } from "#db/backup";
import { invalid } from "#worker/services/refuse";
import { parseJson } from "#domain/fields/json";

const row = z.record(z.string().max(80), z.union([z.string(), z.number(), z.null()]));

/** The rows of a page of a backup's file, one a line. Refuses (422) what is none. */
export function rowsIn(table: string, text: string): BackupRow[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line, n) => {
    const { data } = row.safeParse(parseJson(line));
    if (!data) throw invalid("rows", `Line ${n + 1} of this page of ${table} is no row of a backup.`);
    return data;
  });
}
