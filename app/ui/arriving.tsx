import { Spinner } from "#app/ui/spinner";

/** In place of a dialog whose code is on its way. Nobody sees it where that takes a moment only, and it bars nothing. */
export function Arriving() {
  return (
    <div className="animate-late pointer-events-none fixed inset-x-0 top-1/3 z-50 flex justify-center">
      <p
        role="status"
        className="bg-surface border-line text-ink-soft flex items-center gap-3 rounded-xl border px-5 py-4 shadow-2xl"
      >
        <Spinner className="size-5" />
        Loading...
      </p>
    </div>
  );
}
