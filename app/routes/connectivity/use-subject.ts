import { useSearchParams } from "@remix-run/react";
import { useState } from "react";

/** The chosen device and hub: in the query string, so that a test can be linked, and on screen at once. */
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

  function choose(device: string, hub: string) {
    const next = new URLSearchParams({ ...(device && { device }), ...(hub && { hub }) });
    setChosen(next.toString());
    setSearch(next, { replace: true, preventScrollReset: true });
  }

  const now = new URLSearchParams(chosen);
  return {
    device_id: now.get("device") ?? "",
    hub_id: now.get("hub") ?? "",
    choose,
    /** Whether what the loader told is about what is chosen. */
    isSettled: chosen === linked,
  };
}
