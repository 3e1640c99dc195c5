import { TriangleAlert } from "lucide-react";
import { useOrganization } from "#app/components/organization";
import { formatInstant } from "#domain/display";
import { Badge } from "#app/ui/badge";

/** Marks a light whose state is not what it should be, with since when. */
export function ProblemBadge({ since }: { since: string | null }) {
  const { zone } = useOrganization();
  return (
    <Badge tone="bad" icon={<TriangleAlert aria-hidden />}>
      Problem{since && ` since ${formatInstant(since, zone)}`}
    </Badge>
  );
}
