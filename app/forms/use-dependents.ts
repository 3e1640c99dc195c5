import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { useOrganization } from "#app/components/organization";
import type { Owner } from "#domain/dependents";

/** What depends on a record that is about to be deleted; undefined while that is counted, null where it is not known. */
export function useDependents(owner: Owner, id: string): string | null | undefined {
  const { dependents } = useOrganization();
  const { data, load } = useFetcher<string | null>();
  useEffect(() => load(`/dependents?${owner}=${encodeURIComponent(id)}`), [owner, id, load]);
  return data === undefined ? (dependents ?? undefined) : data;
}
