import type { ReactNode } from "react";
import { Updated } from "#app/components/updated";
import { classes } from "#app/ui/classes";

type Props = {
  title: string;
  text?: string;
  /** For a title that may be long, as a user's. */
  wraps?: true;
  children?: ReactNode;
};

export function PageHeader({ title, text, wraps, children }: Props) {
  return (
    <header className="relative mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:mb-5 sm:items-end">
      <div className="flex-1 basis-40">
        <h1
          className={classes(
            "text-xl font-semibold tracking-tight sm:text-2xl",
            !wraps && "not-tiny:whitespace-nowrap",
          )}
        >
          {title}
        </h1>
        {text && <p className="text-ink-soft mt-0.5">{text}</p>}
        <Updated />
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden">{children}</div>
    </header>
  );
}
