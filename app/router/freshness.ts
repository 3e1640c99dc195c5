import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import type { Deferred } from "#app/router/deferred";

const FRESH_FOR_MS = 20_000;

/**
 * Reloads the screen's lists on focus and every 20 s, but not in a hidden tab. It first checks that the server answers:
 * without a network the list on screen stays, instead of Remix's error page.
 */
export function useFreshLists() {
  const { revalidate, state } = useRevalidator();
  const busy = useRef(false);
  busy.current = state !== "idle";

  useEffect(() => {
    let last = Date.now();
    async function look(atLeast: number) {
      if (document.hidden || busy.current || Date.now() - last < atLeast) return;
      last = Date.now();
      if ((await isThere()) && !document.hidden && !busy.current) revalidate();
    }
    const onFocus = () => void look(2_000);
    const timer = setInterval(() => void look(FRESH_FOR_MS - 1_000), FRESH_FOR_MS);
    window.addEventListener("focus", onFocus);
    document.addEventListener("visibilitychange", onFocus);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", onFocus);
      document.removeEventListener("visibilitychange", onFocus);
    };
  }, [revalidate]);
}

/** Reloads for a Refresh button and shows the outcome in a toast once the list itself has arrived. */
export function useRefresh(list: Promise<Deferred<unknown>>, words: { done?: string; failed: string }) {
  const { revalidate } = useRevalidator();
  const [refreshing, setRefreshing] = useState(false);
  const asked = useRef<typeof list | null>(null);

  useEffect(() => {
    if (asked.current === null || asked.current === list) return;
    asked.current = null;
    list
      .then(
        ({ rows }) => rows !== null,
        () => false,
      )
      .then((arrived) => {
        if (!arrived) toast.error(words.failed, { id: words.failed });
        else if (words.done) toast.success(words.done);
      })
      .finally(() => setRefreshing(false));
  }, [list, words]);

  async function refresh() {
    setRefreshing(true);
    if (await isThere()) {
      asked.current = list;
      revalidate();
    } else {
      toast.error(words.failed, { id: words.failed });
      setRefreshing(false);
    }
  }
  return { refreshing, refresh: () => void refresh() };
}

/** Whether the server answers. Remix would replace the screen with an error page if a reload failed. */
function isThere(): Promise<boolean> {
  return fetch("/api/health").then(
    (answer) => answer.ok,
    () => false,
  );
}
