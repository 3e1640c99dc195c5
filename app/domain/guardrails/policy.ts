import { compare } from "#domain/compare";
import { darkMinutes, darkWords, type DarkTime } from "./dark-hours";
import { POLICY_SCOPES } from "#domain/enums";

/**
 * The guardrails of a level. Null inherits; '' and 0 are none. The curfew and the blackout are inherited as a pair, since a
 * curfew of one level with the blackout of another would be dark for half a day: a level that sets one of them sets both.
 */
export type PolicyValues = {
  HARD_CURFEW_OFF: string | null;
  BLACKOUT_WINDOW: string | null;
  MAX_ON_DURATION_MIN: number | null;
};

/** Where a value comes from, the general first. */
export const POLICY_SOURCES = ["organization", ...POLICY_SCOPES] as const;
export type PolicySource = (typeof POLICY_SOURCES)[number];

/** What the levels of one light say. A level without a policy is null. */
export type PolicyLevels = {
  groups: readonly PolicyValues[];
  area: PolicyValues | null;
  type: PolicyValues | null;
  organization: DarkTime & { MAX_ON_DURATION_MIN: number };
};

/** What is in force for a light, each with the level that says so. A MAX_ON_DURATION_MIN of 0 is none. */
export type PolicyInForce = DarkTime & {
  MAX_ON_DURATION_MIN: number;
  dark_source: PolicySource;
  max_on_source: PolicySource;
};

/**
 * The policy in force: a group's before the area's, before its type's, before the organization's. Of two groups the dark
 * time is the longer one and the longest time on the shorter.
 */
export function mergePolicies({ groups, area, type, organization }: PolicyLevels): PolicyInForce {
  const dark =
    darkest(groups.map(darkTimeOf).filter((own) => own !== null)) ??
    (area && darkTimeOf(area)) ??
    (type && darkTimeOf(type));
  const max_on = shortest(groups) ?? area?.MAX_ON_DURATION_MIN ?? type?.MAX_ON_DURATION_MIN;
  const says = (isSaid: (level: PolicyValues) => boolean): PolicySource => {
    if (groups.some(isSaid)) return "group";
    if (area && isSaid(area)) return "area";
    return type && isSaid(type) ? "type" : "organization";
  };
  return {
    HARD_CURFEW_OFF: (dark ?? organization).HARD_CURFEW_OFF,
    BLACKOUT_WINDOW: (dark ?? organization).BLACKOUT_WINDOW,
    MAX_ON_DURATION_MIN: max_on ?? organization.MAX_ON_DURATION_MIN,
    dark_source: says((level) => darkTimeOf(level) !== null),
    max_on_source: says((level) => level.MAX_ON_DURATION_MIN !== null),
  };
}

/** 'Dark 10:00 PM - 5:00 AM, at most 4 h'; 'No dark time, no max on'. */
export function policyWords(policy: DarkTime & { MAX_ON_DURATION_MIN: number }): string {
  return `${darkWords(policy)}, ${maxOnWords(policy.MAX_ON_DURATION_MIN)}`;
}

function darkTimeOf({ HARD_CURFEW_OFF, BLACKOUT_WINDOW }: PolicyValues): DarkTime | null {
  if (HARD_CURFEW_OFF === null && BLACKOUT_WINDOW === null) return null;
  return { HARD_CURFEW_OFF: HARD_CURFEW_OFF ?? "", BLACKOUT_WINDOW: BLACKOUT_WINDOW ?? "" };
}

/** Of equally long ones that which sorts first, so that the order of the groups does not matter. */
function darkest(times: DarkTime[]): DarkTime | null {
  const [first = null] = times.toSorted(
    (a, b) => darkMinutes(b) - darkMinutes(a) || compare(JSON.stringify(a), JSON.stringify(b)),
  );
  return first;
}

/** None (0) is longer than any. */
function shortest(groups: readonly PolicyValues[]): number | null {
  const said = groups.map((group) => group.MAX_ON_DURATION_MIN).filter((minutes) => minutes !== null);
  const [first = null] = said.toSorted((a, b) => (a || Infinity) - (b || Infinity));
  return first;
}

/** 'at most 1 h 30 min'; 0 is none. */
export function maxOnWords(minutes: number): string {
  return minutes === 0 ? "no max on" : `at most ${hourWords(minutes)}`;
}

/** The exact length of a rule: '1 h 30 min', '4 h', '2 min'. */
export function hourWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const words = [hours > 0 ? `${hours} h` : "", rest > 0 ? `${rest} min` : ""];
  return words.filter((word) => word !== "").join(" ");
}
