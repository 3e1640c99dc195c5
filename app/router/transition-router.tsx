import { startTransition, useInsertionEffect, type ReactNode } from "react";

/**
 * RemixBrowser renders everything anew at each new address, and at once: not in the transition in which its router
 * shows it. That would hold up the page, and a list that is not hydrated yet would be thrown away (React's error 421).
 * Insertion effects come before the effects in which it subscribes to the router it has made.
 */
export function TransitionRouter({ children }: { children: ReactNode }) {
  useInsertionEffect(() => {
    // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
    const router = window.__remixRouter;
    const subscribe = router.subscribe.bind(router);
    router.subscribe = (listener) => subscribe((...news) => startTransition(() => listener(...news)));
  }, []);
  return children;
}
