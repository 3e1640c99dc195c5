import { Await } from "@remix-run/react";
import { Suspense, type ReactNode } from "react";
import { Failure } from "#app/components/failure";
import type { Arrival } from "#app/streaming";

type Props<Row> = {
  list: Promise<Arrival<Row>>;
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
        {({ rows }) => (rows === null ? failure : children(rows))}
      </Await>
    </Suspense>
  );
}
