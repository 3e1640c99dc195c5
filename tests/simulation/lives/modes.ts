import type { ProviderMode } from "#domain/enums";
import { setting } from "#tests/support/light";
import type { Town } from "./town";

const MODES: ProviderMode[] = ["cloud", "local", "hybrid"];

/** Somebody has the lamps reached another way. Not by hubs alone where a lamp has none: nobody would reach it. */
export async function newMode(town: Town): Promise<void> {
  const { chance, city, oracle, world } = town;
  const { orphans, books } = oracle.desk;
  const all = [...city.devices.values(), ...orphans.values(), ...books.values()];
  const some = all.every(({ hub }) => hub !== null) ? MODES : MODES.filter((mode) => mode !== "local");
  const mode = some[chance.int(0, some.length - 1)];
  if (mode === undefined || mode === city.mode) return;
  await town.change([setting(world.org_id, "PROVIDER_MODE", mode, town.iso())], { mode });
}
