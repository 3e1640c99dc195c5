import type { NightBar } from "#domain/tonight/tonight";
import { formatClock, formatHours } from "#domain/time/display";

type Hours = Pick<NightBar, "from" | "to" | "isFromBefore" | "goesOn">;

/** '5:00 PM - 7:30 PM'; what reaches beyond the night's own noons is left open by 'from' and 'until'. */
export function barHours({ from, to, isFromBefore, goesOn }: Hours, zone: string): string {
  if (isFromBefore && goesOn) return "From noon to noon";
  if (isFromBefore) return `Until ${formatClock(to, zone)}`;
  return goesOn ? `From ${formatClock(from, zone)}` : formatHours(from, to, zone);
}
