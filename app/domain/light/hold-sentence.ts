import { formatMoment } from "#domain/time/display";
import type { Hold } from "#domain/resolve/hold";
import { personOf } from "./person-of";

/** 'Off until 9:30 PM: rain (manager)', of a hold or an emergency; `now` is epoch ms. */
export function holdSentence({ action, until, reason, by, emergency }: Hold, zone: string, now: number): string {
  const lead = `${action === "on" ? "On" : "Off"} until ${formatMoment(Date.parse(until), zone, now)}`;
  const why = [...(emergency ? ["emergency"] : []), ...(reason === null ? [] : [reason])].join(", ");
  return `${lead}${why === "" ? "" : `: ${why}`} (${personOf(by)})`;
}
