import { useEffect, useState } from "react";
import { useIsLive, useIsLost, useUpdatedAt } from "#app/router/connection";
import { classes } from "#app/ui/classes";

const TICK_MS = 5_000;

/**
 * 'Live', or 'Updated 5 s ago': the age of the data on screen. Empty until it is known, and on a screen that does not reload
 * by itself: a line that came only then would move what is under a finger.
 */
export function Updated() {
  const updated_at = useUpdatedAt();
  const isLost = useIsLost();
  const isLive = useIsLive();
  const now = useClock();
  return (
    <p
      className={classes("min-h-4 text-xs whitespace-nowrap", isLost ? "text-warn-text font-medium" : "text-ink-faint")}
    >
      {updated_at !== null && (isLive && !isLost ? "Live" : `Updated ${agoWords(Math.max(0, now - updated_at))}`)}
    </p>
  );
}

/** '5 s ago', '3 min ago', '2 h ago'. */
function agoWords(ms: number): string {
  const seconds = Math.floor(ms / TICK_MS) * (TICK_MS / 1000);
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

function useClock(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
