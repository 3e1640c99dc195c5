import { LoaderCircle } from "lucide-react";
import { classes } from "#app/ui/classes";

export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={classes("size-4 animate-spin", className)} />;
}

/** In the place of a list that is on its way. */
export function LoadingBlock({ label }: { label: string }) {
  return (
    <div role="status" className="text-ink-soft flex items-center justify-center gap-3 py-24">
      <Spinner className="size-5" />
      <span>{label}</span>
    </div>
  );
}
