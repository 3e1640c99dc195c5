import { LoaderCircle } from "#app/ui/icons";
import { classes } from "#app/ui/classes";

export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle className={classes("size-4 animate-spin", className)} />;
}

/** Replaces a list while it loads. As tall as the screen, so that the footer does not jump when the list arrives. */
export function LoadingBlock({ label }: { label: string }) {
  return (
    <div role="status" className="text-ink-soft min-h-dvh py-24">
      <p className="flex items-center justify-center gap-3">
        <Spinner className="size-5" />
        {label}
      </p>
    </div>
  );
}
