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

/** A list that streams in after the layout: first a placeholder, then the list or its failure. */
export function Streamed<Row>({ list, loading, failed, children }: Props<Row>) {
  const failure = <Failure text={failed} />;
  return (
    <Suspense fallback={loading}>
      <Await resolve={list} errorElement={failure}>
        {({ rows }) => (
          <LastArrived rows={rows} failure={failure}>
            {children}
          </LastArrived>
        )}
      </Await>
    </Suspense>
  );
}

type LastProps<Row> = { rows: Row | null; failure: ReactNode; children: (rows: Row) => ReactNode };

/** Keeps the list, and a dialog in which somebody is typing, when a later reload fails. */
function LastArrived<Row>({ rows, failure, children }: LastProps<Row>) {
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
