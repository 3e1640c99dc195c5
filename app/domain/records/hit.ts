export type HitKind = "area" | "hub" | "device" | "schedule";

/** What the search over everything finds. Its place is the area that it is in; an area's own is its type. */
export type Hit = { kind: HitKind; id: string; name: string; place: string };
