import { sql } from "#tests/support/light";
import type { City } from "#tests/simulation/oracle/city";
import type { CityLimit, CityPolicy } from "#tests/simulation/oracle/city";
import { HOUR, MINUTE, type Town } from "./town";

/** Somebody sets a policy, gives or takes back a permit, closes a place or reopens it. */
export async function newLimit(town: Town): Promise<void> {
  const { chance } = town;
  if (chance.is(0.3)) return newPolicy(town);
  const table = chance.pick(["permits", "closures"] as const);
  const [known] = [...town.city[table]].filter(([, { to }]) => to > town.world.now);
  if (known && chance.is(0.6)) return endLimit(town, table, known);
  return addLimit(town, table);
}

/** One that says nothing inherits; none is ever deleted, so that it is known since when it says so. */
async function newPolicy(town: Town): Promise<void> {
  const { chance, world } = town;
  const scope = chance.pick(["area", "type"] as const);
  const isDark = chance.is(0.6);
  const policy: CityPolicy = {
    HARD_CURFEW_OFF: isDark ? chance.pick(["22:00", "23:15", "", null]) : null,
    BLACKOUT_WINDOW: isDark ? chance.pick(["01:00-04:30", "21:00-23:00", ""]) : null,
    MAX_ON_DURATION_MIN: chance.pick([null, 0, 60, 300, 960]),
  };
  if (JSON.stringify(policy) === JSON.stringify(town.city.policies.get(scope))) return;
  const statement = sql(
    `INSERT INTO policies (org_id, scope, scope_id, HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
     ON CONFLICT DO UPDATE SET HARD_CURFEW_OFF = ?4, BLACKOUT_WINDOW = ?5, MAX_ON_DURATION_MIN = ?6, updated_at = ?7`,
    world.org_id,
    scope,
    scope === "area" ? town.area : "park",
    policy.HARD_CURFEW_OFF,
    policy.BLACKOUT_WINDOW,
    policy.MAX_ON_DURATION_MIN,
    town.iso(),
  );
  const policies = new Map(town.city.policies).set(scope, policy);
  await town.change([statement], { policies, changed_at: { ...town.city.changed_at, policies: world.now } });
}

async function addLimit(town: Town, table: "permits" | "closures"): Promise<void> {
  const { chance, world } = town;
  const id = town.name(table === "permits" ? "p" : "c");
  const from = world.now + chance.int(-4, 40) * 15 * MINUTE;
  const isOpen = table === "closures" && chance.is(0.2);
  const to = isOpen ? Infinity : Math.max(world.now + MINUTE, from + chance.pick([0.25, 1, 3, 26]) * HOUR);
  const limit: CityLimit = { device_id: chance.is(0.7) ? town.anyDevice() : null, from, to, changed_at: world.now };
  const statement = sql(
    `INSERT INTO ${table} (id, org_id, device_id, area_id, from_at, to_at, reason, created_by, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, 'wet ground', 'staff', ?)`,
    id,
    world.org_id,
    limit.device_id,
    limit.device_id === null ? town.area : null,
    new Date(from).toISOString(),
    isOpen ? null : new Date(to).toISOString(),
    town.iso(),
  );
  await town.change([statement], only(table, withoutOver(town, table).set(id, limit)));
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
