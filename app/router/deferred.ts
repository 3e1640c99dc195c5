/** What a list's promise brings: a failure is a value too, so that no rejection crosses the stream unhandled. */
export type Deferred<Row> = { rows: Row } | { rows: null };

/** For a loader's return: the frame goes out at once and the list follows; its failure is logged here (decision 26). */
export function deferred<Row>(list: Promise<Row>): Promise<Deferred<Row>> {
  return list.then(
    (rows) => ({ rows }),
    (caught: unknown) => {
      console.error(caught);
      return { rows: null };
    },
  );
}
