import { useSearchParams } from "@remix-run/react";
import { useState } from "react";

/**
 * The chosen device and hub, and in a large city the area. They live in the query string, so that a test can be linked,
 * and in state, so that a choice shows at once.
 */
export function useSubject() {
  const [search, setSearch] = useSearchParams();
  const linked = search.toString();
  const [chosen, setChosen] = useState(linked);
  const [followed, setFollowed] = useState(linked);
  // The back button changes the choice, too.
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
    /** For a large city, which has too many devices for one select. */
    chooseArea: (area: string) => choose("", "", area),
    /** Whether the loader's data are those of the current choice. */
    isSettled: chosen === linked,
  };
}
