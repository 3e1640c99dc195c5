import { CloudOff, RotateCw } from "#app/ui/icons";
import { useIsLost } from "#app/router/connection";
import { Button } from "#app/ui/button";
import { useRetry } from "./use-retry";

/**
 * Shown while the server does not answer: says that the screen is outdated, with a button to retry. It floats: one that
 * pushed the screen down, and let it up again, could put another light under a finger. The default export is for
 * onDemand().
 */
export default function OfflineBar() {
  const { retrying, retry } = useRetry();
  if (!useIsLost()) return null;
  return (
    <div role="alert" id="offline" data-bar className="offline-bar">
      <p className="flex min-w-0 flex-1 items-start gap-2 font-medium">
        <CloudOff className="mt-0.5 size-4 shrink-0" />
        No connection to the server. What you see may be out of date; lights keep to their schedules.
      </p>
      <Button size="sm" icon={<RotateCw className="size-4" />} pending={retrying} onClick={retry}>
        Retry
      </Button>
    </div>
  );
}
