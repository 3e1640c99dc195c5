import type { ComponentProps } from "react";
import { classes } from "#app/ui/classes";

export function Card({ className, ...rest }: ComponentProps<"article">) {
  return <article {...rest} className={classes("border-line bg-surface rounded-xl border", className)} />;
}

/** A grid of cards with as many columns as fit. */
export function CardGrid({ className, ...rest }: ComponentProps<"ul">) {
  return (
    <ul
      {...rest}
      className={classes("grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3 sm:gap-4", className)}
    />
  );
}

/** A label and its value on one line of a card. */
export function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 items-baseline justify-between gap-3">
      <dt className="text-ink-faint shrink-0">{label}</dt>
      <dd className="min-w-0 truncate text-right">{children}</dd>
    </div>
  );
}
