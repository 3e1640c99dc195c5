import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useIsBusy } from "#app/router/use-is-busy";
import { hasTimedOut } from "#app/session/activity";

const EVERY_MS = 1_500;

/**
 * Reloads the page's data again and again while the server works, but not in a hidden tab or after the session, nor before
 * the last answer has come: a reload breaks off the one before, and on a slow line none would ever arrive.
 */
export function usePoll(isWorking: boolean) {
  const { revalidate } = useRevalidator();
  const isBusy = useRef(false);
  isBusy.current = useIsBusy();
  useEffect(() => {
    if (!isWorking) return;
    const timer = setInterval(() => {
      if (!document.hidden && !hasTimedOut() && !isBusy.current) revalidate();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isWorking, revalidate]);
}
