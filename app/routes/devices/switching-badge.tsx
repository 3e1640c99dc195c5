import { Badge } from "#app/ui/badge";
import { Spinner } from "#app/ui/spinner";
import type { SwitchAction } from "#domain/enums";

/** Shown while a toggle waits for its answer; the badge beside it shows the last known state. */
export function SwitchingBadge({ switching }: { switching: SwitchAction | null }) {
  if (switching === null) return null;
  return (
    <Badge icon={<Spinner />}>
      <span role="status">switching...</span>
    </Badge>
  );
}
