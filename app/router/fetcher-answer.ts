import { routerOf } from "#app/router/router-of";

/**
 * Calls `listener` with what the fetcher `key` is answered next, after `known`; never where it ends without an answer.
 * Goes on when what sent it has left the screen, unlike a fetcher's own state. Only in a browser.
 */
export function onAnswer<Answer>(key: string, known: Answer | undefined, listener: (answer: Answer) => void): void {
  const end = routerOf().subscribe(({ fetchers }) => {
    const fetcher = fetchers.get(key);
    const isAnswered = fetcher?.data !== undefined && fetcher.data !== known;
    if (!isAnswered && fetcher && fetcher.state !== "idle") return;
    end();
    if (isAnswered) listener(fetcher.data);
  });
}

/**
 * Follows the fetcher `key` until the returned function is called, which answers what came last meanwhile, if anything did.
 * React may skip rendering an answer: while it waits for code, one comes together with a list that has taken what sent it
 * off the screen. Only in a browser.
 */
export function follow<Answer>(key: string): () => Answer | undefined {
  let last: Answer | undefined;
  const end = routerOf().subscribe(({ fetchers }) => void (last = fetchers.get(key)?.data ?? last));
  return () => (end(), last);
}
