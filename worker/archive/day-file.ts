import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import type { RawRow } from "#db/archive";
import type { Place } from "#domain/lists/log-query";

// A day file is a chain of gzip members, which every tool reads as one file: the header's line, and then the rows in parts,
// a line of JSON each. The header says how long each part is, so that a page of a log reads one part and not the day.

/** The rows of a part: some 1.5 MB of text, and a tenth of that as stored. */
const PART_ROWS = 5_000;
/** A part ends sooner where its rows are long: whoever reads a page has all of it in memory, several times. */
const PART_CHARACTERS = 3_000_000;

const place = z.object({ at: z.string(), id: z.string() });
const part = z.object({ bytes: z.int().positive(), rows: z.int().positive(), first: place, last: place });
const header = z.object({
  format: z.literal("lamplighter-log"),
  version: z.literal(1),
  org_id: z.string(),
  log: z.string(),
  day: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  /** Of the rows' lines, uncompressed: `zcat FILE | tail -n +2 | sha256sum`. */
  sha256: z.string(),
  parts: z.array(part),
});
export type DayHeader = z.infer<typeof header>;
export type DayPart = z.infer<typeof part>;

const row = z.array(z.union([z.string(), z.number(), z.null()]));
const decoder = new TextDecoder();

/** Whether a line, the JSON of a row, may be one that is wanted. */
export type LineFilter = (line: string) => boolean;

/** A file's bytes, its header, and how many of the bytes the header takes. */
export type DayFile = { bytes: Uint8Array; header: DayHeader; header_bytes: number };

/** Writes the rows of a day, in order. Holds one part at a time besides what is compressed. */
export async function writeDay(
  of: Pick<DayHeader, "org_id" | "log" | "day" | "columns">,
  rows: AsyncIterable<RawRow>,
  placeOf: (row: RawRow) => Place,
): Promise<DayFile> {
  const hash = createHash("sha256");
  const parts: DayPart[] = [];
  const members: Uint8Array[] = [];
  let count = 0;

  function endPart(part: RawRow[], lines: string[]): void {
    const [first, last] = [part[0], part.at(-1)];
    if (!first || !last) return;
    const text = lines.join("");
    const member = gzipSync(text);
    hash.update(text);
    members.push(member);
    parts.push({ bytes: member.length, rows: part.length, first: placeOf(first), last: placeOf(last) });
    count += part.length;
  }

  let [open, lines, characters]: [RawRow[], string[], number] = [[], [], 0];
  for await (const row of rows) {
    const line = `${JSON.stringify(row)}\n`;
    open.push(row);
    lines.push(line);
    characters += line.length;
    if (open.length < PART_ROWS && characters < PART_CHARACTERS) continue;
    endPart(open, lines);
    [open, lines, characters] = [[], [], 0];
  }
  endPart(open, lines);

  const written: DayHeader = {
    format: "lamplighter-log",
    version: 1,
    ...of,
    rows: count,
    sha256: hash.digest("hex"),
    parts,
  };
  const head = gzipSync(`${JSON.stringify(written)}\n`);
  return { bytes: joined([head, ...members]), header: written, header_bytes: head.length };
}

/** The header in the first bytes of a file. Throws if there is none. */
export function readHeader(bytes: Uint8Array): DayHeader {
  const text = decoder.decode(gunzipSync(bytes));
  return header.parse(JSON.parse(text.slice(0, text.indexOf("\n"))));
}

/**
 * The rows of a part whose line may match: the others are not parsed. Throws if the bytes are not what was written: gzip has a
 * checksum of its own.
 */
export function readPart(bytes: Uint8Array, { rows }: DayPart, mayMatch: LineFilter = () => true): RawRow[] {
  const lines = decoder.decode(gunzipSync(bytes)).split("\n");
  if (lines.length !== rows + 1) throw new Error(`a part has ${lines.length - 1} rows instead of ${rows}`);
  lines.pop();
  return lines.filter(mayMatch).map((line) => row.parse(JSON.parse(line)));
}

/** The bytes that the header takes: what the parts leave. */
export function headerBytes(size: number, { parts }: DayHeader): number {
  return parts.reduce((left, { bytes }) => left - bytes, size);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The SHA-256 of bytes, with which the bucket checks what arrives. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
