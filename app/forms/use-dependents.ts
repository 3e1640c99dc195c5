import { useOrganization } from "#app/components/organization";
import { useJson } from "#app/router/use-json";
import type { Owner } from "#domain/records/dependents";

/** What depends on a record that is about to be deleted; undefined while it is counted, null if it is not known. */
export function useDependents(owner: Owner, id: string): string | null | undefined {
  const { dependents } = useOrganization();
  const asked = useJson<string>(`/dependents?${owner}=${encodeURIComponent(id)}`);
  return asked === undefined ? (dependents ?? undefined) : asked;
}
