import { startTransition, useInsertionEffect, type ReactNode } from "react";

/**
 * RemixBrowser renders the whole page synchronously on each navigation, outside the transition of its own router. That
 * blocks the page, and throws away a list that is not hydrated yet (React's error 421). This wraps the router's
 * notifications in a transition. It must be an insertion effect, which runs before the effect in which RemixBrowser
 * subscribes.
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
