import { Link } from "@remix-run/react";
import type { ComponentProps, ReactNode } from "react";
import { classes } from "#app/ui/classes";

/** The page of one device. */
export function deviceHref(id: string): string {
  return `/devices/${encodeURIComponent(id)}`;
}

/** The page of one area. */
export function areaHref(id: string): string {
  return `/areas/${encodeURIComponent(id)}`;
}

/** The hubs of that name; `area_id` narrows to one area, since others may have namesakes. */
export function hubHref(name: string, area_id: string | null = null): string {
  return `/hubs?${new URLSearchParams({ q: name, ...(area_id !== null && { area: area_id }) })}`;
}

/**
 * The form of a new schedule for all lights of an area, for a target in it (see `targetValue`), or with none chosen yet (null),
 * as of today.
 */
export function bookHref(area_id: string, target?: string | null): string {
  if (target === undefined) return `/schedules?new=&device_id=area:${area_id}`;
  return `/schedules?new=&${new URLSearchParams({ area_id, ...(target !== null && { device_id: target }) })}`;
}

/** A name that links to its page. */
export function NameLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} prefetch="intent" className={classes("name", className)} />;
}

/** The link back to the list, above a page's heading. On a phone a button may stand beside it. */
export function Trail({ children }: { children: ReactNode }) {
  return (
    <nav
      aria-label="You are here"
      className="text-ink-soft mb-1 flex min-h-11 flex-wrap items-center gap-x-1.5 text-sm max-sm:pr-30 sm:min-h-0"
    >
      {children}
    </nav>
  );
}
