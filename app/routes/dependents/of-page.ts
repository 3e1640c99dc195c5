import { own } from "#app/forms/own";
import { isNoScript } from "#app/no-script/no-script";
import { logFailure } from "#app/router/log-failure";
import type { Owner } from "#domain/records/dependents";
import type { Services } from "#worker/context";

/** By the first part of the path. */
const OWNERS: Record<string, Owner> = { areas: "area", hubs: "hub", devices: "device", departments: "department" };

/** For a page without script whose dialog asks before something is deleted; else null. */
export async function dependentsOfPage(services: Services, request: Request): Promise<string | null> {
  const { pathname, searchParams } = new URL(request.url);
  const owner = own(OWNERS, pathname.split("/")[1] ?? "");
  const id = searchParams.get("delete");
  return owner && id && isNoScript(request) ? dependentsOf(services, owner, id) : null;
}

/** The sentence; null, and logged, where it cannot be had. */
export async function dependentsOf(services: Services, owner: Owner, id: string): Promise<string | null> {
  return sentenceOrNull(services.dependents[owner](id));
}

export function sentenceOrNull(asked: Promise<string | null>): Promise<string | null> {
  return asked.catch((caught: unknown) => (logFailure(caught), null));
}
