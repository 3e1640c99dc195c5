import { Note } from "#app/components/note";
import type { ArchiveNote } from "#domain/lists/archive";

/** What a page of a log says of the archive; nothing where it has nothing to do with it. */
export function ArchiveNotes({ notes }: { notes: ArchiveNote[] }) {
  if (notes.length === 0) return null;
  return (
    <div role="status" className="mb-4 grid gap-2">
      {notes.map(({ text, isWarning }) =>
        isWarning ? (
          <Note key={text}>{text}</Note>
        ) : (
          <p key={text} className="text-ink-soft text-sm">
            {text}
          </p>
        ),
      )}
    </div>
  );
}
