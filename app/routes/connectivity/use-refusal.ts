import { useEffect, useState } from "react";
import type { Deferred } from "#app/router/deferred";
import type { Explanation } from "#domain/resolve/explanation";

/** Why an ON of the chosen device would be refused now; null where it would not, or until the engine has answered. */
export function useRefusal(device_id: string, explanation: Promise<Deferred<Explanation>> | null): string | null {
  const [known, setKnown] = useState<Explanation | null>(null);
  useEffect(() => {
    let isCurrent = true;
    // A stream that is broken off rejects; the list's own failure tells of it.
    explanation?.then(
      ({ rows }) => isCurrent && setKnown(rows),
      () => isCurrent && setKnown(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [explanation]);
  return known !== null && known.device_id === device_id ? known.refusal : null;
}
