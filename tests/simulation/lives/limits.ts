import { sql } from "#tests/support/light";
import type { City, CityLimit, CityTarget } from "#tests/simulation/oracle/city";
import { columnsOf, HOUR, MINUTE, type Town } from "./town";

/** Somebody sets or deletes a policy, gives or takes back a permit, closes a place, at other times than before, or reopens it. */
export async function newLimit(town: Town): Promise<void> {
  const { chance } = town;
  if (chance.is(0.5)) return newPolicy(town);
  const table = chance.pick(["permits", "closures"] as const);
  const known = [...town.city[table]].filter(([, { to }]) => to > town.world.now);
  const some = known.find(([, { to }]) => to === Infinity) ?? known[0];
  if (some && table === "closures" && chance.is(0.3)) return editClosure(town, some);
  if (some && chance.is(known.length > 2 ? 0.9 : 0.6)) return endLimit(town, table, some);
  return addLimit(town, table);
}

/** One that says nothing inherits. */
export async function newPolicy(town: Town, of?: { scope: "group"; id: string }): Promise<void> {
  const { chance, world } = town;
  const known = [...town.city.policies.keys()];
  const some = known[chance.int(0, Math.max(0, known.length - 1))];
  if (!of && some !== undefined && chance.is(0.2)) return deletePolicy(town, some);
  const scope = of?.scope ?? chance.pick(["area", "type", "group"] as const);
  const id =
    of?.id ?? (scope === "type" ? chance.pick(["park", "path"]) : scope === "area" ? town.anyArea() : town.anyGroup());
  if (id === undefined) return;
  const isDark = chance.is(0.6);
  const said = {
    HARD_CURFEW_OFF: isDark ? chance.pick(["22:00", "", null]) : null,
    BLACKOUT_WINDOW: isDark ? chance.pick(["01:00-04:30", "21:00-23:00", ""]) : null,
    MAX_ON_DURATION_MIN: chance.pick([null, 0, 60, 300, 960]),
  };
  const name = `${scope}:${id}`;
  const before = town.city.policies.get(name);
  if (before && JSON.stringify({ ...before, changed_at: 0 }) === JSON.stringify({ ...said, changed_at: 0 })) return;
  const statement = sql(
    `INSERT INTO policies (org_id, scope, scope_id, HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT DO UPDATE SET HARD_CURFEW_OFF = ?4, BLACKOUT_WINDOW = ?5, MAX_ON_DURATION_MIN = ?6, updated_at = ?7`,
    world.org_id,
    scope,
    id,
    said.HARD_CURFEW_OFF,
    said.BLACKOUT_WINDOW,
    said.MAX_ON_DURATION_MIN,
    town.iso(),
  );
  const policies = new Map(town.city.policies).set(name, { ...said, changed_at: world.now });
  await town.change([statement], { policies });
}

/** Its lights obey what is wider than it, from now on. */
async function deletePolicy(town: Town, name: string): Promise<void> {
  const [scope = "", id = ""] = name.split(":");
  const policies = new Map(town.city.policies);
  policies.delete(name);
  const statement = sql(
    "DELETE FROM policies WHERE org_id = ? AND scope = ? AND scope_id = ?",
    town.world.org_id,
    scope,
    id,
  );
  await town.change([statement], { policies });
}

async function addLimit(town: Town, table: "permits" | "closures"): Promise<void> {
  const { chance, world } = town;
  const id = town.name(table === "permits" ? "p" : "c");
  const from = world.now + chance.int(-4, 40) * 15 * MINUTE;
  const isOpen = table === "closures" && chance.is(0.2);
  const to = isOpen ? Infinity : Math.max(world.now + MINUTE, from + chance.pick([0.25, 1, 3, 26]) * HOUR);
  const limit: CityLimit = { target: town.anyTarget(), from, to, changed_at: world.now };
  await town.change([insertLimit(town, table, id, limit)], only(table, withoutOver(town, table).set(id, limit)));
}

/** One that begins now, in the place of one that goes, if it does. */
export async function givePermit(
  town: Town,
  target: CityTarget,
  ms: number,
  goes?: { id: string; statement: D1PreparedStatement },
): Promise<void> {
  const { now } = town.world;
  const id = town.name("p");
  const permits = withoutOver(town, "permits");
  if (goes) permits.delete(goes.id);
  const permit = { target, from: now, to: now + ms, changed_at: now };
  const statement = insertLimit(town, "permits", id, permit);
  await town.change(goes ? [goes.statement, statement] : [statement], { permits: permits.set(id, permit) });
}

function insertLimit(
  town: Town,
  table: "permits" | "closures",
  id: string,
  { target, from, to }: CityLimit,
): D1PreparedStatement {
  return sql(
    `INSERT INTO ${table} (id, org_id, device_id, group_id, area_id, from_at, to_at, reason, created_by, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'wet ground', 'staff', ?)`,
    id,
    town.world.org_id,
    ...columnsOf(target),
    new Date(from).toISOString(),
    to === Infinity ? null : new Date(to).toISOString(),
    town.iso(),
  );
}

/** It begins and ends some quarters of an hour earlier or later, or is for other lights; one that stays as it is keeps its age. */
async function editClosure(town: Town, [id, before]: [string, CityLimit]): Promise<void> {
  const { chance, world } = town;
  const from = before.from + chance.pick([0, chance.int(-8, 8)]) * 15 * MINUTE;
  const end = (before.to === Infinity ? world.now : before.to) + chance.int(-8, 8) * 15 * MINUTE;
  const to = chance.is(0.1) ? Infinity : Math.max(from + MINUTE, world.now + MINUTE, end);
  const target = chance.is(0.2) ? town.anyTarget() : before.target;
  const isSame = from === before.from && to === before.to && target.id === before.target.id;
  const statement = sql(
    "UPDATE closures SET device_id = ?, group_id = ?, area_id = ?, from_at = ?, to_at = ?, updated_at = ? WHERE id = ?",
    ...columnsOf(target),
    new Date(from).toISOString(),
    to === Infinity ? null : new Date(to).toISOString(),
    town.iso(),
    id,
  );
  const limit = { target, from, to, changed_at: isSame ? before.changed_at : world.now };
  await town.change([statement], { closures: withoutOver(town, "closures").set(id, limit) });
}

async function endLimit(town: Town, table: "permits" | "closures", [id]: [string, CityLimit]): Promise<void> {
  const left = withoutOver(town, table);
  left.delete(id);
  await town.change([sql(`DELETE FROM ${table} WHERE id = ?`, id)], only(table, left));
}

/** What has been over for longer than anybody looks back limits nothing. */
function withoutOver(town: Town, table: "permits" | "closures"): Map<string, CityLimit> {
  return new Map([...town.city[table]].filter(([, { to }]) => to > town.world.now - 72 * HOUR));
}

function only(table: "permits" | "closures", all: Map<string, CityLimit>): Partial<City> {
  return table === "permits" ? { permits: all } : { closures: all };
}
