import { toIso } from "#domain/time/to-iso";
import { readable } from "./body";
import type { Store } from "./kept";
import type { D1Rows, PlanKind } from "./plan-rows";

/** A clock that is put back by more than this was wrong before, and the engine follows it. */
export const LONGEST_STANDSTILL_MS = 600_000;

/** When a row was made, or came to where it is (ISO 8601): an OFF from before that does not end its windows. */
const MADE_AT: Partial<Record<PlanKind, readonly string[]>> = {
  schedule: ["created_at", "target_since"],
  device: ["area_since"],
};

/** What the copy has in the place of what D1 says of an instant, `told` beside it: D1 goes on saying so. */
type Corrected = {
  told?: Record<string, unknown>;
  members?: readonly { device_id: string; added_at: string; told?: string }[];
};

/**
 * Makes a row as it is, but that nothing of it was made long after `now` (epoch ms): D1 keeps what a clock said that was hours
 * ahead. People's clocks are never quite the engine's, and are believed. `known` is the row's text in the copy, where what was
 * corrected stands for as long as D1 says the same.
 */
export function notOfTheFuture<K extends PlanKind>(
  kind: K,
  now: number,
): (row: D1Rows[K], known: string | undefined) => D1Rows[K] {
  const names: readonly string[] = MADE_AT[kind] ?? [];
  const latest = toIso(now);
  const last = toIso(now + LONGEST_STANDSTILL_MS);
  const isToCome = (instant: unknown) => typeof instant === "string" && instant > last;
  return (row, known) => {
    const members = "members" in row ? row.members : [];
    const isCorrected = known?.includes('"told":') ?? false;
    if (
      !isCorrected &&
      !names.some((name) => isToCome(Reflect.get(row, name))) &&
      !members.some((m) => isToCome(m.added_at))
    )
      return row;
    return corrected(row, { names, members, latest, isToCome }, known);
  };
}

type Made = {
  names: readonly string[];
  members: readonly { device_id: string; added_at: string }[];
  latest: string;
  isToCome: (instant: unknown) => boolean;
};

function corrected<T extends object>(row: T, { names, members, latest, isToCome }: Made, known: string | undefined): T {
  const before: Corrected & Record<string, unknown> = readable(() => JSON.parse(known ?? "{}")) ?? {};
  const told: Record<string, unknown> = {};
  const made: Record<string, unknown> = {};
  for (const name of names) {
    const instant = Reflect.get(row, name);
    const isAsBefore = instant !== null && before.told?.[name] === instant;
    if (!isAsBefore && !isToCome(instant)) continue;
    told[name] = instant;
    made[name] = isAsBefore ? before[name] : latest;
  }
  const knownMembers = new Map(before.members?.map((member) => [member.device_id, member]));
  const inTime = members.map((member) => {
    const was = knownMembers.get(member.device_id);
    if (was?.told === member.added_at) return was;
    return isToCome(member.added_at) ? { ...member, added_at: latest, told: member.added_at } : member;
  });
  return {
    ...row,
    ...made,
    ...(Object.keys(told).length > 0 && { told }),
    ...("members" in row && { members: inTime }),
  };
}

/** The clock was ahead, and is right now (`now`, epoch ms): nothing that the copy has was made later. */
export function setMadeBack(sql: Store, now: number): void {
  const latest = toIso(now);
  for (const [kind, names] of Object.entries(MADE_AT))
    for (const name of names)
      sql.exec(
        `UPDATE plan SET body = json_set(body,
             '$.told.${name}', coalesce(body ->> '$.told.${name}', body ->> '$.${name}'), '$.${name}', ?1)
           WHERE kind = ?2 AND CASE WHEN json_valid(body) THEN body ->> '$.${name}' > ?1 END`,
        latest,
        kind,
      );
  sql.exec("UPDATE plan SET body = ?1 WHERE kind = 'member' AND body > ?1", latest);
  sql.exec(
    `UPDATE plan SET body = json_set(body, '$.members', json(
         (SELECT json_group_array(json(CASE WHEN value ->> 'added_at' > ?1
            THEN json_set(value, '$.told', coalesce(value ->> 'told', value ->> 'added_at'), '$.added_at', ?1)
            ELSE value END))
          FROM json_each(plan.body, '$.members'))))
       WHERE kind = 'group' AND json_valid(body)`,
    latest,
  );
}
