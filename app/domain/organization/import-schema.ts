import { z } from "zod";
import { optionalLine } from "#domain/fields/fields";
import { MAX_IMPORT_BYTES, MAX_NAME } from "#domain/fields/limits";

const REQUIRED = "Choose a CSV file";

/** A file to import: its text. A file that a browser sends is decoded first. */
export const importInput = z.object(
  {
    csv: z
      .string(REQUIRED)
      .min(1, REQUIRED)
      .max(
        MAX_IMPORT_BYTES,
        `The file is too large: at most ${MAX_IMPORT_BYTES / 1024 / 1024} MB. Split it into several.`,
      )
      .describe("A header and at most 10,000 rows of each kind; GET /inventory/template has the form"),
    file_name: optionalLine("File name", MAX_NAME),
  },
  REQUIRED,
);
