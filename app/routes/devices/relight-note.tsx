import { useJson } from "#app/router/use-json";
import type { Result } from "#app/selection/use-bulk";

/** After lights were turned off together: which of them go on again, and when. */
export function RelightNote({ turnedOff }: { turnedOff: Result[] }) {
  const ids = turnedOff.filter(({ reason }) => reason === null).map(({ id }) => id);
  const sentence = useJson<string>(ids.length > 0 ? `/relight?ids=${encodeURIComponent(ids.join(","))}` : null);
  return sentence ? <p className="text-ink-soft mt-1">{sentence}</p> : null;
}
