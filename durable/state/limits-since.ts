import { meta, setMeta } from "./meta";
import type { Store } from "./kept";

/** What of the organization's limits a policy may say otherwise. */
export const ORGANIZATION_LIMITS = ["HARD_CURFEW_OFF", "BLACKOUT_WINDOW", "MAX_ON_DURATION_MIN"] as const;
/** 'all' is what no policy says: the zone, and whether the organization is served. */
type OrganizationLimit = (typeof ORGANIZATION_LIMITS)[number] | "all";

/** Since when (epoch ms) limits are what they are; what is not named always was. */
export type LimitsSince = {
  organization: Partial<Record<OrganizationLimit, number>>;
  /** By the ids of policies, or of devices that one has let go, since when: what they said until then is not known any more. */
  gone: Record<string, number>;
};

/** What is noted of the changes of limits. */
export function limitsSince(sql: Store): LimitsSince {
  return JSON.parse(meta(sql, "limits_since") ?? '{"organization":{},"gone":{}}');
}

/** Since when (epoch ms) these are what they are for the organization; 0 if always. */
export function organizationSince({ organization }: LimitsSince, ...limits: OrganizationLimit[]): number {
  return Math.max(...limits.map((limit) => organization[limit] ?? 0));
}

/** Notes that one changed at `at` (epoch ms). Whoever does it forgets what was kept of the devices' limits. */
export function setOrganizationSince(sql: Store, limit: OrganizationLimit, at: number): void {
  const { organization, gone } = limitsSince(sql);
  save(sql, { organization: { ...organization, [limit]: at }, gone });
}

/** Notes that policies, or those for some devices, are gone since `at`, and forgets those that went before `oldest` (epoch ms). */
export function notePoliciesGone(sql: Store, ids: string[], { at, oldest }: { at: number; oldest: number }): void {
  const { organization, gone } = limitsSince(sql);
  const recent = Object.entries(gone).filter(([, since]) => since >= oldest);
  save(sql, { organization, gone: Object.fromEntries([...recent, ...ids.map((id) => [id, at])]) });
}

/** The clock was ahead, and is right now (`now`, epoch ms): nothing is so from later on. */
export function setLimitsBack(sql: Store, now: number): void {
  const { organization, gone } = limitsSince(sql);
  const notLater = (all: Record<string, number>) =>
    Object.fromEntries(Object.entries(all).map(([what, since]) => [what, Math.min(since, now)]));
  save(sql, { organization: notLater(organization), gone: notLater(gone) });
}

function save(sql: Store, since: LimitsSince): void {
  setMeta(sql, "limits_since", JSON.stringify(since));
}
