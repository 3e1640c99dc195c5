import { Await } from "@remix-run/react";
import { Suspense, useState, type ReactNode } from "react";
import { Failure } from "#app/components/failure";
import { useLoaded } from "#app/router/connection";
import type { Deferred } from "#app/router/deferred";

type Props<Row> = {
  list: Promise<Deferred<Row>>;
  loading: ReactNode;
  failed: string;
  children: (rows: Row) => ReactNode;
};

/**
 * A list that streams in after the layout: first a placeholder, then the list or its failure. An answer that is cut off
 * halfway, since it took too long or the server went away, is one, too: the list before it stays.
 */
export function Streamed<Row extends object>({ list, loading, failed, children }: Props<Row>) {
  const failure = <Failure text={failed} />;
  const end = useEnd(list);
  return (
    <Suspense fallback={loading}>
      <Await resolve={end} errorElement={failure}>
        {({ rows }) => (
          <LastArrived rows={rows} failure={failure}>
            {children}
          </LastArrived>
        )}
      </Await>
    </Suspense>
  );
}

/** The list once it has arrived, or once it is known that it will not: one that is cut off is a value, too. */
export function useEnd<Row>(list: Promise<Deferred<Row>>): Promise<Deferred<Row>> {
  // One for each list: what is new at each render would be waited for without end.
  const [ends] = useState(() => new WeakMap<typeof list, typeof list>());
  const end = ends.get(list) ?? list.catch(() => ({ rows: null }));
  ends.set(list, end);
  return end;
}

type LastProps<Row> = { rows: Row | null; failure: ReactNode; children: (rows: Row) => ReactNode };

/** Keeps the list, and a dialog in which somebody is typing, when a later reload fails. */
function LastArrived<Row extends object>({ rows, failure, children }: LastProps<Row>) {
  const [last, setLast] = useState(rows);
  if (rows !== null && rows !== last) setLast(rows);
  const shown = rows ?? last;
  useLoaded(rows);
  return (
    <>
      {rows === null && failure}
      {shown !== null && children(shown)}
    </>
  );
}
