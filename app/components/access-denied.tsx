import { Lock } from "#app/ui/icons";
import type { Capability } from "#domain/organization/permissions";
import { CAPABILITIES } from "#domain/organization/permissions";
import { EmptyState } from "#app/components/empty-state";
import { capitalized } from "#domain/capitalized";

/** Replaces a screen that the role may not see. */
export function AccessDenied({ capability }: { capability: Capability }) {
  const needed = CAPABILITIES[capability].map(capitalized).join(" or ");
  return <EmptyState icon={Lock} title={`Access denied. ${needed} role required.`} />;
}
