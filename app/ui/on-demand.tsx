import { lazy, useEffect, type ReactNode } from "react";
import { toast } from "sonner";

const MISSING = "A part of this page could not be loaded. Load the page again.";

/**
 * A component whose code is fetched when it is first shown, to keep it out of every first load; it stands in a Suspense.
 * Code that cannot be fetched (no network, or a newer release has replaced it) is told, and fetched anew when the
 * component is shown the next time; a dialog closes. React's lazy alone would throw whatever stands around it off the
 * screen, and keep the failure until the page is loaded again.
 */
export function onDemand<Props extends object>(load: () => Promise<{ default: (props: Props) => ReactNode }>) {
  let Part = begin();

  function begin() {
    return lazy(async () => {
      const { default: Loaded } = await load().catch((error: unknown) => (console.error(error), { default: Missing }));
      return { default: ({ given }: { given: Props }) => <Loaded {...given} /> };
    });
  }

  /** Stays until it has left the screen: to fetch again at once would do so without end. */
  function Missing(props: Props) {
    const close = "onClose" in props && typeof props.onClose === "function" ? props.onClose : null;
    useEffect(() => void close?.(), [close]);
    useEffect(() => {
      toast.error(MISSING, { id: MISSING });
      return () => void (Part = begin());
    }, []);
    return close ? null : (
      <p className="text-ink-soft p-4 text-sm">
        A part of this page could not be loaded.{" "}
        <button
          type="button"
          className="text-brand-text font-medium underline"
          onClick={() => window.location.reload()}
        >
          Load the page again
        </button>
      </p>
    );
  }

  return function OnDemand(props: Props) {
    return <Part given={props} />;
  };
}
