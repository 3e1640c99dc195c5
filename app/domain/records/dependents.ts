import { counted } from "#domain/counted";

/** What other records depend on. */
export const OWNERS = ["area", "hub", "device", "department"] as const;
export type Owner = (typeof OWNERS)[number];

/** In the order in which people are told. `schedules` are those still to come. */
const KINDS = ["members", "hubs", "lights", "workorders", "schedules"] as const;

/** How many records depend on one; `lit` are those lights that are on and go with it, of a device itself. */
export type Dependents = Partial<Record<(typeof KINDS)[number] | "lit", number | undefined>>;

/**
 * What deleting a record does to them: 'With it go 2 hubs, 5 lights, and 1 schedule still to come. 3 lights are on now, and
 * go off.'
 */
export function dependentsSentence(owner: Owner, dependents: Dependents): string {
  return `${goingSentence(owner, dependents)}${litWords(owner, dependents.lit ?? 0)}`;
}

function litWords(owner: Owner, lit: number): string {
  if (lit === 0) return "";
  if (owner === "device") return " It is on now, and goes off.";
  return ` ${counted(lit, "light")} ${lit === 1 ? "is on now, and goes off" : "are on now, and go off"}.`;
}

function goingSentence(owner: Owner, dependents: Dependents): string {
  const [first, ...rest] = present(KINDS, dependents);
  if (!first) return NOTHING[owner];
  const isOne = first.count === 1 && rest.length === 0;
  const list = listed([first, ...rest]);
  if (owner === "hub") return `${list} ${isOne ? "stays" : "stay"}, without a hub.`;
  if (owner === "department") return `In it: ${list}.`;
  return `With it ${isOne ? "goes" : "go"} ${list}${dependents.schedules ? " still to come" : ""}.`;
}

/**
 * What lights that are moved, one or those of a hub, leave behind, in the order in which people are told. `schedules` are
 * those still to come.
 */
const LEFT = ["groups", "closures", "permits", "schedules"] as const;
export type LeftBehind = Partial<Record<"lights" | (typeof LEFT)[number], number | undefined>>;

/**
 * What moving a hub to another area does, or has done, to its lights: 'With it go 5 lights, which leave 2 groups.' Null where
 * it has none.
 */
export function movedSentence({ lights = 0, ...left }: LeftBehind, when: "before" | "moved" = "before"): string | null {
  if (lights === 0) return null;
  const words = VERBS[when][lights === 1 ? "one" : "many"];
  const named = leftWords(left);
  return `With it ${words.go} ${counted(lights, "light")}${named && `, which ${words.leave} ${named}`}.`;
}

/** What moving one light to another area does, or has done: 'It leaves 2 groups.' Null where it leaves nothing. */
export function movedLightSentence(left: LeftBehind, when: "before" | "moved" = "before"): string | null {
  const named = leftWords(left);
  return named ? `It ${VERBS[when].one.leave} ${named}.` : null;
}

function leftWords(left: LeftBehind): string {
  const named = listed(present(LEFT, left));
  return named && `${named}${left.schedules ? " still to come" : ""}`;
}

const VERBS = {
  before: { one: { go: "goes", leave: "leaves" }, many: { go: "go", leave: "leave" } },
  moved: { one: { go: "went", leave: "left" }, many: { go: "went", leave: "left" } },
};

type Count = { kind: string; count: number };

/** What there is any of, in the order of `kinds`. */
function present<Kind extends string>(kinds: readonly Kind[], counts: Partial<Record<Kind, number>>): Count[] {
  return kinds.map((kind) => ({ kind, count: counts[kind] ?? 0 })).filter(({ count }) => count > 0);
}

/** '2 hubs, 5 lights, and 1 schedule', of kinds whose names are plurals. */
function listed(counts: Count[]): string {
  return LIST.format(counts.map(({ kind, count }) => counted(count, kind.slice(0, -1))));
}

const LIST = new Intl.ListFormat("en-US", { style: "long", type: "conjunction" });

const NOTHING: Record<Owner, string> = {
  area: "It has no hubs and no lights.",
  hub: "No light is connected through it.",
  device: "No schedule still to come goes with it.",
  department: "It has no members, lights or workorders.",
};
