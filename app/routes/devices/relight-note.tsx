import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import type { Result } from "#app/selection/use-bulk";

/** After lights were turned off together: which of them go on again, and when. */
export function RelightNote({ turnedOff }: { turnedOff: Result[] }) {
  const { data, load } = useFetcher<string | null>();
  const ids = turnedOff
    .filter(({ reason }) => reason === null)
    .map(({ id }) => id)
    .join(",");
  useEffect(() => {
    if (ids !== "") load(`/relight?ids=${encodeURIComponent(ids)}`);
  }, [ids, load]);
  return ids !== "" && data ? <p className="text-ink-soft mt-1">{data}</p> : null;
}
