import type { ReactNode } from "react";
import { TriangleAlert } from "#app/ui/icons";

/** A sentence that somebody may not expect. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <p className="bg-warn-soft text-warn-text flex items-start gap-2 rounded-lg px-3 py-2.5">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
