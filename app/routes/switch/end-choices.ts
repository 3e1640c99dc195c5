import { formatMoment, fromLocalInput, toLocalInput } from "#domain/time/display";
import { MAX_EMERGENCY_MS, MAX_HOLD_MS } from "#domain/fields/limits";
import { MINUTE_MS } from "#domain/time/units";
import { dateAfter } from "#domain/time/date-after";
import { toIso } from "#domain/time/to-iso";

/** When a night is over for people: they are there again, and lights are off by day. */
const MORNING = "06:00";

/** No end, an end at a date and time, or one of these. */
export const NO_END = "";
export const AT = "at";
const MINUTES = { "30": "30 minutes", "60": "1 hour", "120": "2 hours", "240": "4 hours" };

/**
 * The ends that a toggle offers, as values and labels: those of the moment when it was opened (epoch ms), in the words of now.
 * An emergency does not last as long as others may.
 */
export function endChoices(
  opened: number,
  zone: string,
  isEmergency: boolean,
  now = opened,
): { id: string; name: string }[] {
  const morning = nextMorning(opened, zone);
  const most_ms = isEmergency ? MAX_EMERGENCY_MS : MAX_HOLD_MS;
  return [
    ...Object.entries(MINUTES).map(([id, name]) => ({ id, name: `For ${name}` })),
    ...(morning === null || morning - opened > most_ms
      ? []
      : [{ id: toIso(morning), name: `Until ${formatMoment(morning, zone, now)}` }]),
    { id: AT, name: "Until a time" },
  ];
}

/** The chosen end (ISO 8601); undefined for none, '' for what is half typed. */
export function endOf(choice: string, at: string | null, now: number): string | undefined {
  if (choice === NO_END) return undefined;
  if (choice === AT) return at ?? "";
  if (Object.hasOwn(MINUTES, choice)) return new Date(now + Number(choice) * MINUTE_MS).toISOString();
  return choice;
}

function nextMorning(now: number, zone: string): number | null {
  const { date } = toLocalInput(now, zone);
  const today = fromLocalInput({ date, time: MORNING }, zone);
  return today !== null && today > now ? today : fromLocalInput({ date: dateAfter(date, 1), time: MORNING }, zone);
}
