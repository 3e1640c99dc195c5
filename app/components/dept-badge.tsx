import { useOrganization } from "#app/components/organization";
import { Badge } from "#app/ui/badge";

/** 'Org-wide', 'Dept: name', or 'Unknown Dept' for a department that the person cannot see. */
export function DeptBadge({ dept_id }: { dept_id: string | null }) {
  const { departments } = useOrganization();
  const department = departments?.find(({ id }) => id === dept_id);
  const label = dept_id === null ? "Org-wide" : department ? `Dept: ${department.name}` : "Unknown Dept";
  return <Badge tone="neutral">{label}</Badge>;
}
