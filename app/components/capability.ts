import { useOrganization } from "#app/components/organization";
import { can, type Capability } from "#domain/organization/permissions";

/** Whether the signed-in person's role allows it. For showing buttons only: the server checks again. */
export function useCan(capability: Capability): boolean {
  return can(useOrganization().user, capability);
}
