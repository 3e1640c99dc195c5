import type { ArchivedLog } from "#db/archive";
import { UNANSWERED } from "#domain/lists/archive";
import { causeOf, Refusal } from "#domain/errors";
import {
  headerBytes,
  readHeader,
  readPart,
  sha256,
  type DayFile,
  type DayHeader,
  type LineFilter,
} from "#worker/archive/day-file";
import { log } from "#worker/log";

/** Enough for the header of any day, and for all of a small city's day: one call instead of two. */
const FIRST_BYTES = 65_536;
const SUFFIX = ".jsonl.gz";

/** One log of one organization in the bucket. Days are in UTC, so that a city that moves its clock moves no file. */
export type Shelf = { bucket: R2Bucket; org_id: string; log: ArchivedLog };

/** A day whose file cannot be read; `cause` says why. */
export class UnreadableDay extends Error {
  readonly day: string;

  constructor(day: string, cause: unknown) {
    super(`the file of ${day} could not be read`, { cause });
    this.name = "UnreadableDay";
    this.day = day;
  }
}

/** A day's file, opened: its parts are fetched when they are read. */
export type OpenDay = {
  header: DayHeader;
  etag: string;
  /** The rows of parts `from` until `to` whose line may match, part by part; all of them by default. Throws an UnreadableDay. */
  parts: (from: number, to: number, mayMatch?: LineFilter) => Promise<ReturnType<typeof readPart>[]>;
};

function keyOf({ org_id, log }: Shelf, day: string): string {
  return `${prefixOf({ org_id, log })}${day}${SUFFIX}`;
}

function prefixOf({ org_id, log }: Pick<Shelf, "org_id" | "log">): string {
  return `${encodeURIComponent(org_id)}/${log}/`;
}

function unanswered(caught: unknown): never {
  log("error", "archive.unanswered", causeOf(caught));
  throw new Refusal("unavailable", UNANSWERED);
}

/** The days that have a file, from the first, `from` and `to` included; both may be missing. Refuses with `unavailable`. */
export async function daysOf(shelf: Shelf, { from, to }: { from?: string; to?: string } = {}): Promise<string[]> {
  const prefix = prefixOf(shelf);
  const days: string[] = [];
  let cursor: string | undefined;
  do {
    const listed = await shelf.bucket
      .list({
        prefix,
        ...(cursor === undefined ? {} : { cursor }),
        // '2026-08-01' sorts before its own key, so the first day is in the list.
        ...(from === undefined || cursor !== undefined ? {} : { startAfter: `${prefix}${from}` }),
      })
      .catch(unanswered);
    const found = listed.objects.map(({ key }) => key.slice(prefix.length, -SUFFIX.length));
    days.push(...found.filter((day) => /^\d{4}-\d\d-\d\d$/.test(day) && (to === undefined || day <= to)));
    const isPast = to !== undefined && (found.at(-1) ?? "") > to;
    cursor = listed.truncated && !isPast ? listed.cursor : undefined;
  } while (cursor !== undefined);
  return days;
}

/** A day's file; null if there is none. Throws an UnreadableDay. */
export async function openDay(shelf: Shelf, day: string): Promise<OpenDay | null> {
  const key = keyOf(shelf, day);
  const unreadable = (caught: unknown): never => {
    throw caught instanceof UnreadableDay ? caught : new UnreadableDay(day, caught);
  };

  /** Bytes of the file as it was when it was opened; a file that was written anew since is not mixed with it. */
  async function fetchBytes(offset: number, length: number, etag?: string): Promise<[Uint8Array, R2Object] | null> {
    const object = await shelf.bucket.get(key, {
      range: { offset, length },
      ...(etag === undefined ? {} : { onlyIf: { etagMatches: etag } }),
    });
    if (object === null) return null;
    if (!("body" in object)) throw new Error("it was written anew meanwhile");
    return [new Uint8Array(await object.arrayBuffer()), object];
  }

  const start = await fetchBytes(0, FIRST_BYTES).catch(unreadable);
  if (start === null) return null;
  const [bytes, { size, etag, customMetadata }] = start;

  async function opened(): Promise<OpenDay> {
    const { header, head, kept } = await headerOf(Number(customMetadata?.["header_bytes"]));
    // One that was copied to a wrong name must not show another organization's rows.
    if (header.org_id !== shelf.org_id || header.log !== shelf.log || header.day !== day) {
      throw new Error(`it is the file of ${header.org_id}, ${header.log}, ${header.day}`);
    }
    const offsets = header.parts.map((_part, index) =>
      header.parts.slice(0, index).reduce((sum, part) => sum + part.bytes, head),
    );
    return {
      header,
      etag,
      parts: async (from, to, mayMatch) => {
        const wanted = header.parts.slice(from, to);
        const offset = offsets[from] ?? size;
        const length = wanted.reduce((sum, part) => sum + part.bytes, 0);
        const got =
          offset + length <= kept.length
            ? kept.subarray(offset, offset + length)
            : ((await fetchBytes(offset, length, etag).catch(unreadable))?.[0] ?? new Uint8Array());
        try {
          return wanted.map((part, index) => {
            const at = (offsets[from + index] ?? 0) - offset;
            return readPart(got.subarray(at, at + part.bytes), part, mayMatch);
          });
        } catch (caught) {
          return unreadable(caught);
        }
      },
    };
  }

  /** A file that was copied without its metadata does not say where its header ends: then all of it is read. */
  async function headerOf(length: number): Promise<{ header: DayHeader; head: number; kept: Uint8Array }> {
    if (length > 0 && length <= bytes.length) {
      return { header: readHeader(bytes.subarray(0, length)), head: length, kept: bytes };
    }
    const whole = size > bytes.length ? (await fetchBytes(0, size, etag))?.[0] : bytes;
    if (whole === undefined) throw new Error("it is gone");
    const header = readHeader(whole);
    return { header, head: headerBytes(size, header), kept: whole };
  }

  return opened().catch(unreadable);
}

/**
 * Stores a day's file and reads back what the bucket keeps of it. `over` is the etag of the file that it replaces; without
 * one there must be none. False if somebody else was faster: then nothing was written.
 */
export async function putDay(shelf: Shelf, { bytes, header, header_bytes }: DayFile, over: string | null) {
  const key = keyOf(shelf, header.day);
  const digest = sha256(bytes);
  const stored = await shelf.bucket.put(key, bytes, {
    sha256: digest,
    onlyIf: over === null ? { etagDoesNotMatch: "*" } : { etagMatches: over },
    httpMetadata: { contentType: "application/gzip" },
    customMetadata: { header_bytes: String(header_bytes) },
  });
  if (stored === null) return false;
  const kept = await shelf.bucket.head(key);
  const found = new Uint8Array(kept?.checksums.sha256 ?? new ArrayBuffer());
  if (kept?.size !== bytes.length || !digest.every((byte, index) => byte === found[index])) {
    throw new Error(`the bucket keeps something else as ${key}`);
  }
  return true;
}

/** Deletes the files of the days before this one; their number. */
export async function dropBefore(shelf: Shelf, day: string): Promise<number> {
  const days = (await daysOf(shelf, { to: day })).filter((each) => each < day).slice(0, 1_000);
  if (days.length > 0) await shelf.bucket.delete(days.map((each) => keyOf(shelf, each)));
  return days.length;
}

/** Whether any day of the log has a file; yes if the bucket does not answer, which the next page then says. */
export async function hasFiles({ bucket, ...of }: Shelf): Promise<boolean> {
  const listed = await bucket.list({ prefix: prefixOf(of), limit: 1 }).catch(() => null);
  return listed === null || listed.objects.length > 0;
}
