import { Badge } from "#app/ui/badge";
import { Spinner } from "#app/ui/spinner";
import type { SwitchAction } from "#domain/enums";

/** While a toggle waits for its answer: the badge beside it shows what was last heard of the lamp. */
export function SwitchingBadge({ switching }: { switching: SwitchAction | null }) {
  if (switching === null) return null;
  return (
    <Badge icon={<Spinner />}>
      <span role="status">switching...</span>
    </Badge>
  );
}
