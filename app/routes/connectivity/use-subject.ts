import { useSearchParams } from "@remix-run/react";
import { useState } from "react";

/** The chosen device and hub, and in a large city the area: in the query string, so that a test can be linked, and on screen at once. */
export function useSubject() {
  const [search, setSearch] = useSearchParams();
  const linked = search.toString();
  const [chosen, setChosen] = useState(linked);
  const [followed, setFollowed] = useState(linked);
  // The back button chooses, too.
  if (followed !== linked) {
    setFollowed(linked);
    setChosen(linked);
  }

  const now = new URLSearchParams(chosen);

  function choose(device: string, hub: string, area = now.get("area") ?? "") {
    const next = new URLSearchParams({ ...(area && { area }), ...(device && { device }), ...(hub && { hub }) });
    setChosen(next.toString());
    setSearch(next, { replace: true, preventScrollReset: true });
  }

  return {
    area_id: now.get("area") ?? "",
    device_id: now.get("device") ?? "",
    hub_id: now.get("hub") ?? "",
    choose,
    /** In a large city, whose devices are too many for one list. */
    chooseArea: (area: string) => choose("", "", area),
    /** Whether what the loader told is about what is chosen. */
    isSettled: chosen === linked,
  };
}
