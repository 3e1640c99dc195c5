import { counted } from "#domain/counted";
import { MONTHS } from "#domain/time/display";

/** What is older stands in the archive's day files, in UTC, and not in the database. */
export const ARCHIVE_AFTER_DAYS = 90;

/** What a page of a log says of the archive, and of where it stopped. Days are in UTC, '2026-08-01'. */
export type ArchiveFacts = {
  sort: "newest" | "oldest";
  /** The first day that is in the database only; null without an archive. */
  before: string | null;
  /** Whether entries of the page are from a file. */
  isFromFiles: boolean;
  /** Whether the database's entries end here and the archive's follow. */
  isAtBorder: boolean;
  /** Where the page ended before it was full. */
  stopped: string | null;
  unreadable: string | null;
};

export type ArchiveNote = { text: string; isWarning: boolean };

/** The sentences above a page of a log; none for one that the archive has nothing to do with and that stopped nowhere. */
export function archiveNotes(facts: ArchiveFacts): ArchiveNote[] {
  const { before, isFromFiles, isAtBorder, stopped, unreadable } = facts;
  const [onward, back] = facts.sort === "newest" ? ["Older", "back"] : ["Newer", "on"];
  const notes: ArchiveNote[] = [];
  if (unreadable !== null) notes.push({ text: `${unreadableDay(unreadable)} ${onward} goes on.`, isWarning: true });
  if (isFromFiles && before !== null)
    notes.push({ text: `Entries from before ${longDate(before)} come from the archive.`, isWarning: false });
  if (stopped !== null && unreadable === null) {
    notes.push({ text: `Looked ${back} to ${longDate(stopped)}. ${onward} goes on from there.`, isWarning: false });
  }
  if (isAtBorder && before !== null) {
    const text = `Entries from before ${longDate(before)} are in the archive. ${onward} goes on there; so does a day chosen as From.`;
    notes.push({ text, isWarning: false });
  }
  return notes;
}

/** Above a log where days were asked for that are older than what is kept. */
export function retentionNote(days: number): ArchiveNote {
  return { text: `Logs are kept for ${counted(days, "day")}. What is older has been deleted.`, isWarning: false };
}

/** Where not even the list of the files comes. */
export const UNANSWERED = "The archive did not answer. Please try again.";

/** 'The archive's file of Aug 1, 2026 could not be read ...', on a screen, in an export and as the API's detail. */
export function unreadableDay(day: string): string {
  return (
    `The archive's file of ${longDate(day)} could not be read, so entries of that day are missing. Please try again; ` +
    "if it stays so, tell whoever runs Lamplighter."
  );
}

/** 'Aug 1, 2026' of '2026-08-01'. */
function longDate(day: string): string {
  const [year, month, date] = day.split("-");
  return `${MONTHS[Number(month) - 1]} ${Number(date)}, ${year}`;
}
