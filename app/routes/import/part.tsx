import { useId, type ReactNode } from "react";
import { Card } from "#app/ui/card";

/** One part of the screens of an import. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <Card aria-labelledby={heading} className="min-w-0">
      <h2 id={heading} className="border-line border-b px-4 py-2.5 font-semibold">
        {title}
      </h2>
      {children}
    </Card>
  );
}
