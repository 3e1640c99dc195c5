import { Await } from "@remix-run/react";
import { Info } from "#app/ui/icons";
import { Suspense } from "react";
import type { Deferred } from "#app/router/deferred";
import type { Explanation } from "#domain/resolve/explanation";

/** Why the chosen light is on or off. Empty if the engine does not answer. */
export function Sentence({ explanation }: { explanation: Promise<Deferred<Explanation>> | null }) {
  if (!explanation) return null;
  return (
    <p className="text-ink-soft flex min-h-5 items-start gap-2">
      <Suspense>
        <Await resolve={explanation} errorElement={<></>}>
          {({ rows }) =>
            rows && (
              <>
                <Info className="mt-0.5 size-4 shrink-0" />
                {rows.sentence}
              </>
            )
          }
        </Await>
      </Suspense>
    </p>
  );
}
