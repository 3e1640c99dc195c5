import { CloudOff, RotateCw } from "#app/ui/icons";
import { useIsLost } from "#app/router/connection";
import { useRetry } from "#app/router/freshness";
import { Button } from "#app/ui/button";

/**
 * Shown while the server does not answer: says that the screen is outdated, with a button to retry. The default export is
 * for onDemand().
 */
export default function OfflineBar() {
  const { retrying, retry } = useRetry();
  if (!useIsLost()) return null;
  return (
    <div
      role="alert"
      id="offline"
      className="bg-warn-soft text-warn-text border-line sticky top-18 z-20 flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-3 py-2 sm:px-6 md:top-14"
    >
      <p className="flex min-w-0 flex-1 basis-60 items-start gap-2 font-medium">
        <CloudOff aria-hidden className="mt-0.5 size-4 shrink-0" />
        No connection to the server. What you see may be out of date; lights keep to their schedules.
      </p>
      <Button size="sm" icon={<RotateCw className="size-4" />} pending={retrying} onClick={retry}>
        Retry
      </Button>
    </div>
  );
}
