import type { ComponentProps } from "react";
import { classes } from "#app/ui/classes";

export function Card({ className, ...rest }: ComponentProps<"article">) {
  return <article {...rest} className={classes("card", className)} />;
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

/** A label and its value on one line, in a <dl className="facts">. */
export function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
