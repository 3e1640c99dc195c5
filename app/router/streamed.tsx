import { Await } from "@remix-run/react";
import { Suspense, useState, type ReactNode } from "react";
import { Failure } from "#app/components/failure";
import type { Deferred } from "#app/router/deferred";

type Props<Row> = {
  list: Promise<Deferred<Row>>;
  loading: ReactNode;
  failed: string;
  children: (rows: Row) => ReactNode;
};

/** What arrives after the frame (decision 26): a placeholder, then the list or its failure. */
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

/** A list that is on screen outlives a later look that fails, and with it a dialog in which something may be typed. */
function LastArrived<Row>({ rows, failure, children }: LastProps<Row>) {
  const [last, setLast] = useState(rows);
  if (rows !== null && rows !== last) setLast(rows);
  const shown = rows ?? last;
  return (
    <>
      {rows === null && failure}
      {shown !== null && children(shown)}
    </>
  );
}
