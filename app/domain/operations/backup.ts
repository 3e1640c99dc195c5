import { z } from "zod";

/** The layout of a backup's files; rises when an older program could not read them any more. */
export const BACKUP_FORMAT = 1;

/** A table's file in a backup, one row a line, compressed. `rows` and `bytes` are those of the text, `sha256` the file's. */
const file = z.object({
  table: z.string().max(80),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * What a backup says of itself. It is written after its files, so that half a backup has none. `key_check` tells whether
 * its secrets were sealed with the same SETTINGS_KEY, without telling the key; migrations are how many had been applied.
 */
export const manifest = z.object({
  format: z.int().min(1),
  version: z.string().max(40),
  organization: z.object({ id: z.string().regex(/^[\w-]{1,120}$/), name: z.string().max(200) }),
  taken_at: z.iso.datetime(),
  migrations: z.object({ database: z.int().min(0), object: z.int().min(0) }),
  key_check: z.string().max(64),
  files: z.array(file).max(200),
});

export type Manifest = z.infer<typeof manifest>;
