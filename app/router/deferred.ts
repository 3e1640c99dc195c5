/** The value of a deferred list. A failure is a value, because a rejection in the stream would be unhandled. */
import { logFailure } from "#app/router/log-failure";
export type Deferred<Row> = { rows: Row } | { rows: null };

/** For a loader's return: the layout is sent at once and the list streams after it. Logs a failure. */
export function deferred<Row>(list: Promise<Row>): Promise<Deferred<Row>> {
  return list.then(
    (rows) => ({ rows }),
    (caught: unknown) => {
      logFailure(caught);
      return { rows: null };
    },
  );
}
