import type { ConnectionMode } from "#domain/enums";
import { accessOf, isSameAccess, type CityAccess } from "#tests/simulation/oracle/city";
import { sql } from "#tests/support/light";
import { secretOf, type Town } from "./town";

/** A hub is used by other ways than before, or its credentials are changed or removed; one that lets nobody in is mended. */
export async function newAccess(town: Town): Promise<void> {
  const { chance, city } = town;
  const all = [...city.hubs];
  const shut = all.filter((hub) => accessOf(city, hub).wrong !== null);
  const some = shut.length > 0 && chance.is(0.7) ? shut : all;
  const hub = some[chance.int(0, Math.max(0, some.length - 1))];
  if (hub === undefined) return;
  const { mode, wrong } = accessOf(city, hub);
  if (wrong !== null) return setAccess(town, hub, { mode, wrong: null });
  if (chance.is(0.5)) return setAccess(town, hub, { mode, wrong: chance.pick(["another", "none"]) });
  return setAccess(town, hub, { mode: chance.pick<ConnectionMode>(["local", "cloud", "hybrid"]), wrong });
}

/** All hubs let us in. */
export async function mendAccess(town: Town): Promise<void> {
  for (const hub of town.city.hubs) await setAccess(town, hub, { ...accessOf(town.city, hub), wrong: null });
}

async function setAccess(town: Town, hub: string, access: CityAccess): Promise<void> {
  const { city } = town;
  if (isSameAccess(access, accessOf(city, hub))) return;
  const { mode, wrong } = access;
  const secret = wrong === null ? secretOf(hub) : wrong === "none" ? null : wrong;
  const statement = sql("UPDATE hubs SET connection_mode = ?, local_client_secret = ? WHERE id = ?", mode, secret, hub);
  await town.change([statement], { access: new Map(city.access).set(hub, access) });
}
