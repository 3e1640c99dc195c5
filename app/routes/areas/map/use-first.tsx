import { useState, type ReactNode } from "react";
import { Button } from "#app/ui/button";

const FIRST = 100;

/** The first hundred rows, and a button for the next, nothing where all are shown. A thousand at once are a megabyte of page. */
export function useFirst<Row>(rows: Row[]): { shown: Row[]; more: ReactNode } {
  const [most, setMost] = useState(FIRST);
  const left = rows.length - most;
  const more = left > 0 && (
    <p className="px-4 py-3">
      <Button onClick={() => setMost(most + FIRST)}>{`Show ${Math.min(FIRST, left)} more`}</Button>
    </p>
  );
  return { shown: rows.slice(0, most), more };
}
