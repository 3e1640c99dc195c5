import { z } from "zod";
import { rowIn } from "#db/archive";
import { state_changes } from "#db/schema";
import { ARCHIVE_AFTER_DAYS, unreadableDay } from "#domain/lists/archive";
import { DEVICE_STATES, REASONS, STATE_KINDS } from "#domain/enums";
import { Refusal } from "#domain/errors";
import { daysOf, openDay, UnreadableDay, type OpenDay, type Shelf } from "#worker/archive/bucket";
import { dayOf, daysBefore } from "#worker/archive/utc-days";

type Means = { org_id: string; archive: R2Bucket | null; now: () => Date };

const text = z.string().nullable();
const change = z.object({
  device_id: z.string(),
  kind: z.enum(STATE_KINDS),
  at: z.string(),
  state: z.enum(DEVICE_STATES),
  reason: z.enum(REASONS).nullable(),
  sentence: text,
  schedule_ids: z.array(z.string()).nullable(),
  booked_until: text,
});
type Change = z.infer<typeof change>;

/** The log of states in the day files; null where there is no archive, or the instants (epoch ms) are young. */
function shelfFor({ org_id, archive, now }: Means, from: number): Shelf | null {
  const before = daysBefore(now().getTime(), ARCHIVE_AFTER_DAYS);
  return archive === null || dayOf(from) >= before ? null : { bucket: archive, org_id, log: "state-log" };
}

/** When the files begin (ISO 8601); null without one. Refuses with `unavailable`. */
export async function firstInFiles(means: Means, from: number): Promise<string | null> {
  const shelf = shelfFor(means, from);
  const [first] = shelf === null ? [] : await daysOf(shelf);
  if (shelf === null || first === undefined) return null;
  const file = await opened(shelf, first);
  return file?.header.parts[0]?.first.at ?? null;
}

/**
 * The changes of the devices that the files have of the time between two instants (epoch ms), with what held before it: the
 * first of the files begins with that. Refuses with `unavailable` if one cannot be read.
 */
export async function changesInFiles(
  means: Means,
  ids: readonly string[],
  from: number,
  to: number,
): Promise<Change[]> {
  const shelf = shelfFor(means, from);
  if (shelf === null || ids.length === 0) return [];
  const days = await daysOf(shelf, { to: dayOf(to) });
  const start = days.findLastIndex((day) => day <= dayOf(from));
  const wanted = new Set(ids);
  const changes: Change[] = [];
  for (const day of days.slice(Math.max(0, start))) {
    const file = await opened(shelf, day);
    const rawOf = rowIn(shelf.log, file?.header.columns ?? []);
    for (let index = 0; file !== null && index < file.header.parts.length; index++) {
      const { columns } = file.header;
      const [rows = []] = await file.parts(index, index + 1, lineOf(columns, wanted)).catch(refuse);
      for (const row of rows) {
        const raw = rawOf(row);
        const ids = raw["schedule_ids"];
        const schedule_ids = typeof ids === "string" ? state_changes.schedule_ids.mapFromDriverValue(ids) : null;
        const read = change.safeParse({ ...raw, schedule_ids });
        if (!read.success) refuse(new UnreadableDay(day, read.error));
        else if (wanted.has(read.data.device_id) && Date.parse(read.data.at) < to) changes.push(read.data);
      }
    }
  }
  return changes;
}

/** A row begins with its device, so that the other lights of a city are not parsed. */
function lineOf(columns: readonly string[], ids: ReadonlySet<string>): (line: string) => boolean {
  if (columns[0] !== "device_id") return () => true;
  const starts = new Set([...ids].map((id) => JSON.stringify(id)));
  return (line) => starts.has(line.slice(1, line.indexOf('",') + 1));
}

function opened(shelf: Shelf, day: string): Promise<OpenDay | null> {
  return openDay(shelf, day).catch(refuse);
}

function refuse(caught: unknown): never {
  if (caught instanceof UnreadableDay) throw new Refusal("unavailable", unreadableDay(caught.day));
  throw caught;
}
