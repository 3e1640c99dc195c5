import type { ReactNode } from "react";
import { LOG_PAGE } from "#domain/enums";

type Props = { label: string; isPast: boolean; children: ReactNode[] };

/** The rows of closures or permits. Of what is over only so many are loaded, and the list says so where it ends. */
export function LimitList({ label, isPast, children }: Props) {
  return (
    <>
      <ul aria-label={label} className="flex flex-col gap-2.5">
        {children}
      </ul>
      {isPast && children.length === LOG_PAGE && (
        <p className="text-ink-faint mt-3 text-sm">{`The latest ${LOG_PAGE} are shown`}</p>
      )}
    </>
  );
}
