import { ButtonLink } from "#app/components/button-link";
import { Step } from "#app/components/step";
import type { Week } from "#app/week/week";
import { weekWords } from "#app/week/week-words";
import { placeIn, weekHref } from "./week-links";

/** The week before and after, and back to this one. */
export function WeekLinks({ week }: { week: Week }) {
  const { frame } = week;
  const to = (monday: string | undefined) => weekHref({ ...placeIn(week), week: monday });
  return (
    <nav aria-label="Weeks" className="flex flex-wrap items-center gap-1">
      {frame.previous !== null && (
        <Step to={to(frame.previous)} side="previous" label="The week before" preventScrollReset />
      )}
      <h2 className="min-w-32 text-center font-semibold whitespace-nowrap">{weekWords(week)}</h2>
      {frame.next !== null && <Step to={to(frame.next)} side="next" label="The week after" preventScrollReset />}
      {!frame.isCurrent && (
        <ButtonLink to={to(undefined)} preventScrollReset>
          This week
        </ButtonLink>
      )}
    </nav>
  );
}
