import { ChevronLeft, ChevronRight } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import type { Week } from "#app/week/week";
import { weekWords } from "#app/week/week-words";
import { placeIn, weekHref } from "./week-links";

/** The week before and after, and back to this one. */
export function WeekLinks({ week }: { week: Week }) {
  const { frame } = week;
  const to = (monday: string | undefined) => weekHref({ ...placeIn(week), week: monday });
  return (
    <nav aria-label="Weeks" className="flex items-center gap-1">
      {frame.previous !== null && (
        <ButtonLink
          to={to(frame.previous)}
          preventScrollReset
          look="ghost"
          data-night="previous"
          aria-label="The week before"
          className="px-2"
          icon={<ChevronLeft className="size-4" />}
        />
      )}
      <h2 className="min-w-32 text-center font-semibold whitespace-nowrap">{weekWords(week)}</h2>
      {frame.next !== null && (
        <ButtonLink
          to={to(frame.next)}
          preventScrollReset
          look="ghost"
          data-night="next"
          aria-label="The week after"
          className="px-2"
          icon={<ChevronRight className="size-4" />}
        />
      )}
      {!frame.isCurrent && (
        <ButtonLink to={to(undefined)} preventScrollReset>
          This week
        </ButtonLink>
      )}
    </nav>
  );
}
