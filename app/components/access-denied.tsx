import { Lock } from "#app/ui/icons";
import type { Capability } from "#domain/organization/permissions";
import { CAPABILITIES } from "#domain/organization/permissions";
import { EmptyState } from "#app/components/empty-state";

/** Replaces a screen that the role may not see. */
export function AccessDenied({ capability }: { capability: Capability }) {
  const needed = CAPABILITIES[capability].map((role) => `${role[0]?.toUpperCase()}${role.slice(1)}`).join(" or ");
  return <EmptyState icon={Lock} title={`Access denied. ${needed} role required.`} />;
}
