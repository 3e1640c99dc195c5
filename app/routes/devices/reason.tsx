import { Await } from "@remix-run/react";
import { Suspense } from "react";
import type { Arrival } from "#app/streaming";

export type Sentences = Promise<Arrival<Record<string, string>>>;

/** 'On until 22:00: Little League practice'; its line is kept free, and stays so where the engine does not say. */
export function Reason({ device_id, sentences }: { device_id: string; sentences: Sentences }) {
  return (
    <p className="text-ink-soft min-h-5">
      <Suspense>
        <Await resolve={sentences} errorElement={<></>}>
          {({ rows }) => rows?.[device_id]}
        </Await>
      </Suspense>
    </p>
  );
}
