import { Badge } from "#app/ui/badge";
import type { Person } from "./staff";

/** Why somebody cannot work here: they have yet to accept their invitation, or were deactivated. */
export function StandingBadges({ pending, active }: Pick<Person, "pending" | "active">) {
  return (
    <>
      {pending && <Badge tone="dashed">Invited</Badge>}
      {!active && <Badge tone="dashed">Deactivated</Badge>}
    </>
  );
}
