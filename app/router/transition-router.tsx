import { startTransition, useInsertionEffect, type ReactNode } from "react";
import { notePlaces } from "#app/router/return-to-entry";
import { routerOf } from "#app/router/router-of";

/**
 * RemixBrowser renders the whole page synchronously on each navigation, outside the transition of its own router. That
 * blocks the page, and throws away a list that is not hydrated yet (React's error 421). This wraps the router's
 * notifications in a transition. It must be an insertion effect, which runs before the effect in which RemixBrowser
 * subscribes.
 *
 * The router notes the place of the page whenever it reads the screen anew, and goes back there when the answer has come,
 * away from where one has scrolled meanwhile. Of one screen it keeps the place that it had when the screen came.
 */
export function TransitionRouter({ children }: { children: ReactNode }) {
  useInsertionEffect(() => {
    const router = routerOf();
    notePlaces();
    const subscribe = router.subscribe.bind(router);
    let last = router.state;
    router.subscribe = (listener) =>
      subscribe((state, how) => {
        const { location, restoreScrollPosition, preventScrollReset } = last;
        if (state.location === location) Object.assign(state, { restoreScrollPosition, preventScrollReset });
        last = state;
        startTransition(() => listener(state, how));
      });
  }, []);
  return children;
}
