import { Await } from "@remix-run/react";
import { Suspense, type ReactNode } from "react";
import { Failure } from "#app/components/failure";

type Props<Row> = { rows: Promise<Row>; loading: ReactNode; failed: string; children: (rows: Row) => ReactNode };

/** What arrives after the frame (decision 26): a placeholder, then the list or its failure. */
export function Streamed<Row>({ rows, loading, failed, children }: Props<Row>) {
  return (
    <Suspense fallback={loading}>
      <Await resolve={rows} errorElement={<Failure text={failed} />}>
        {(arrived) => children(arrived)}
      </Await>
    </Suspense>
  );
}
