import { TriangleAlert } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { formatDated } from "#domain/time/display";
import { Badge } from "#app/ui/badge";

/** Marks a light whose state is not the desired one, with the time since. */
export function ProblemBadge({ since }: { since: string | null }) {
  const { zone, loaded_at } = useOrganization();
  return (
    <Badge tone="bad" icon={<TriangleAlert />}>
      Wrong{since && ` since ${formatDated(since, zone, loaded_at)}`}
    </Badge>
  );
}
