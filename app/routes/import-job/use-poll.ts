import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { hasTimedOut } from "#app/session/activity";

const EVERY_MS = 1_500;

/** Reloads the page's data again and again while the server works, but not in a hidden tab or after the session. */
export function usePoll(isBusy: boolean) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isBusy) return;
    const timer = setInterval(() => {
      if (!document.hidden && !hasTimedOut()) revalidate();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isBusy, revalidate]);
}
