import { formatClock, formatHours } from "#domain/time/display";
import type { Ends } from "./place";

/** '5:00 PM - 7:30 PM'; beyond the night's own noons more may lie, which 'from' and 'until' leave open. */
export function barHours({ from, to }: Ends, frame: Ends, zone: string): string {
  const [isOpen, isUnended] = [from === frame.from, to === frame.to];
  if (isOpen && isUnended) return "From noon to noon";
  if (isOpen) return `Until ${formatClock(to, zone)}`;
  return isUnended ? `From ${formatClock(from, zone)}` : formatHours(from, to, zone);
}
