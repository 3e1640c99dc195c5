import { useOrganization } from "#app/components/organization";
import { can, type Capability } from "#domain/permissions";

/** Whether the signed-in person's role can do it; the server says so again (decision 11). */
export function useCan(capability: Capability): boolean {
  return can(useOrganization().user, capability);
}
