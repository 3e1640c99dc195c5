import { sql } from "#tests/support/light";
import { HOUR, MINUTE, type Town } from "./town";

/** Somebody makes the organization inactive; minutes or hours later it is active again. */
export async function stopService(town: Town): Promise<void> {
  const { chance, world } = town;
  if (!town.city.isServed) return;
  await serve(town, false);
  world.outside(chance.pick([chance.int(1, 20) * MINUTE, chance.int(1, 30) * HOUR]), () => {
    town.isServedAgain = true;
  });
}

export async function serve(town: Town, isServed: boolean): Promise<void> {
  const active = sql("UPDATE organizations SET active = ? WHERE id = ?", isServed ? 1 : 0, town.world.org_id);
  await town.change([active], { isServed });
}
