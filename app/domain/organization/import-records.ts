import { z } from "zod";
import { IMPORT_ACTIONS, IMPORT_KINDS, IMPORT_STATES } from "#domain/enums";

const count = z.int().min(0);
const text = z.string().nullable();
const importCount = z.object({ create: count, update: count, same: count });

/** A file of areas, hubs and devices on its way in. */
export const importJob = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    file_name: text,
    state: z.enum(IMPORT_STATES).describe("An import that failed has changed nothing"),
    reason: text.describe("Why it failed"),
    rows: count,
    done: count.describe("How many rows have been checked or, once it is applied, written"),
    counts: z.object({ area: importCount, hub: importCount, device: importCount }),
    problem_count: count,
  })
  .meta({ id: "Import" });
export type ImportJob = z.infer<typeof importJob>;

/** What is wrong with a row; its number is the one that a spreadsheet shows. */
const importProblem = z.object({ row: count, column: text, sentence: z.string() }).meta({ id: "ImportProblem" });
export type ImportProblem = z.infer<typeof importProblem>;

/** What a row will do; `fields` names the columns that an update changes. */
const importChange = z
  .object({
    row: count,
    kind: z.enum(IMPORT_KINDS),
    action: z.enum(IMPORT_ACTIONS),
    name: z.string(),
    fields: z.array(z.string()),
  })
  .meta({ id: "ImportChange" });
export type ImportChange = z.infer<typeof importChange>;

export const importDetail = z
  .object({
    ...importJob.shape,
    problems: z.array(importProblem).describe("The first 100"),
    changes: z.array(importChange).describe("The first 100, until they are applied"),
  })
  .meta({ id: "ImportDetail" });
export type ImportDetail = z.infer<typeof importDetail>;
