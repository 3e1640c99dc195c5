import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { hasFailed, isLive, isLost, isThere, setLost } from "#app/router/connection";
import type { Deferred } from "#app/router/deferred";
import { onReloadEnd } from "#app/router/stay-on-screen";
import { useIsBusy } from "#app/router/use-is-busy";
import { hasTimedOut } from "#app/session/activity";

const FRESH_FOR_MS = 20_000;
/** Poll an unreachable server more often, since somebody may be waiting for it. */
const LOST_FOR_MS = 5_000;

/**
 * Reloads the screen's lists on focus and, unless the server tells by itself what changes, every 20 s, but not in a hidden
 * tab. One that failed is tried again in any case: the server tells what changes, not that it can answer again. It first
 * checks that the server answers: without a network the list on screen stays, and the layout says so.
 */
export function useFreshLists() {
  const { revalidate } = useRevalidator();
  const busy = useRef(false);
  busy.current = useIsBusy();

  useEffect(() => {
    let last = Date.now();
    async function refresh(atLeast: number) {
      // The device's clock may have been set back since.
      const isSoon = Math.abs(Date.now() - last) < atLeast;
      if (document.hidden || busy.current || hasTimedOut() || isSoon) return;
      last = Date.now();
      if ((await isThere()) && !document.hidden && !busy.current) revalidate();
    }
    function poll() {
      if (isLive() && !isLost() && !hasFailed()) last = Date.now();
      // That the network went is told once, perhaps while the page was still coming.
      else void refresh((isLost() || !navigator.onLine ? LOST_FOR_MS : FRESH_FOR_MS) - 1_000);
    }
    const onFocus = () => void refresh(2_000);
    const onLine = () => void refresh(0);
    const offLine = () => setLost(true);
    const timer = setInterval(poll, LOST_FOR_MS);
    window.addEventListener("focus", onFocus);
    window.addEventListener("online", onLine);
    window.addEventListener("offline", offLine);
    document.addEventListener("visibilitychange", onFocus);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", onFocus);
      window.removeEventListener("online", onLine);
      window.removeEventListener("offline", offLine);
      document.removeEventListener("visibilitychange", onFocus);
    };
  }, [revalidate]);
}

/** Reloads for a Refresh button and shows the outcome in a toast once the list itself has arrived. */
export function useRefresh(list: Promise<Deferred<unknown>>, words: { done?: string; failed: string }) {
  const { revalidate } = useRevalidator();
  const [refreshing, setRefreshing] = useState(false);
  const [ended, setEnded] = useState(0);
  const asked = useRef<typeof list | null>(null);
  const again = useRef(revalidate);
  again.current = revalidate;

  useEffect(
    () =>
      onReloadEnd((isCut) => {
        if (!isCut) setEnded((before) => before + 1);
        else if (asked.current !== null) setTimeout(() => again.current());
      }),
    [],
  );

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

  // After the effect above: a reload that failed as a whole is one that ended without another list.
  useEffect(() => {
    if (asked.current === null) return;
    asked.current = null;
    toast.error(words.failed, { id: words.failed });
    setRefreshing(false);
  }, [ended, words]);

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
