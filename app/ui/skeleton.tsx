import { classes } from "#app/ui/classes";

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes("bg-sunken animate-pulse rounded-md", className)} />;
}
