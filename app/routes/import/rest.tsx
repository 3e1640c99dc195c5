import { grouped } from "#domain/counted";

/** What a list that shows its beginning only does not show. */
export function Rest({ shown, all }: { shown: number; all: number }) {
  if (all <= shown) return null;
  return <p className="border-line text-ink-soft border-t px-4 py-2.5">And {grouped(all - shown)} more</p>;
}
