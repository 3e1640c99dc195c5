import { fromLocalInput, toLocalInput } from "#domain/time/display";
import { dateAfter } from "#domain/time/date-after";
import { isDate } from "#domain/time/is-date";

const DAYS = 7;
/** How far a week may lie from the one that runs: a season's plan, and the same week of the last year. */
const MOST_WEEKS = 53;

/** A night from noon to noon of the city's zone, by the date ('YYYY-MM-DD') on which it begins. Instants are epoch ms. */
export type WeekNight = { date: string; from: number; to: number };

/** Seven nights, the first that of a Monday. `previous` and `next` are the Mondays beside it; null where one may not go. */
export type WeekFrame = {
  monday: string;
  from: number;
  to: number;
  nights: WeekNight[];
  previous: string | null;
  next: string | null;
  isCurrent: boolean;
};

/**
 * The week of a date ('YYYY-MM-DD') in the zone. Without a date, for what is none and for one that is too far away it is
 * the week of today. `now` is epoch ms.
 */
export function weekFrame(date: string | undefined, zone: string, now: number): WeekFrame {
  const current = mondayOf(toLocalInput(now, zone).date);
  const asked = date !== undefined && isDate(date) ? mondayOf(date) : current;
  const monday = isNear(asked, current) ? asked : current;
  const nights = Array.from({ length: DAYS }, (_, n) => nightOf(dateAfter(monday, n), zone));
  const near = (weeks: number) => {
    const other = dateAfter(monday, weeks * DAYS);
    return isNear(other, current) ? other : null;
  };
  return {
    monday,
    from: noonOf(monday, zone),
    to: noonOf(dateAfter(monday, DAYS), zone),
    nights,
    previous: near(-1),
    next: near(1),
    isCurrent: monday === current,
  };
}

/** How many hours the clocks of a night leave out (-1) or show twice (1); 0 on all other nights. */
export function clockChange({ from, to }: Pick<WeekNight, "from" | "to">): number {
  return (to - from) / 3_600_000 - 24;
}

function nightOf(date: string, zone: string): WeekNight {
  return { date, from: noonOf(date, zone), to: noonOf(dateAfter(date, 1), zone) };
}

/** No zone changes its clocks at noon, so there is one on every date. */
function noonOf(date: string, zone: string): number {
  return fromLocalInput({ date, time: "12:00" }, zone) ?? Date.parse(`${date}T12:00:00Z`);
}

function mondayOf(date: string): string {
  // Date's week begins with Sunday.
  return dateAfter(date, -((new Date(date).getUTCDay() + 6) % 7));
}

function isNear(monday: string, current: string): boolean {
  return Math.abs(Date.parse(monday) - Date.parse(current)) <= MOST_WEEKS * DAYS * 86_400_000;
}
