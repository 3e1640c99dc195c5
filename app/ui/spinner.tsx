import { LoaderCircle } from "lucide-react";
import { classes } from "#app/ui/classes";

export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={classes("size-4 animate-spin", className)} />;
}

/** In the place of a list that is on its way, and as tall as a screen, so that no footer has to make room for it. */
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
