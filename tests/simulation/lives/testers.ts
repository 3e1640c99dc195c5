import { endTest, pingHub, readState, testSwitch } from "#durable/requests/connectivity";
import type { SwitchAction } from "#domain/enums";
import { isRestricted } from "#tests/simulation/oracle/guardrails";
import { rulesOf } from "#tests/simulation/oracle/limits";
import { MINUTE, SECOND, type Town } from "./town";

/** A person tests a light: its state, ON, OFF, and the end, if they do not walk away before. Rather when a curfew is near. */
export async function testLight(town: Town): Promise<void> {
  const { chance, world, oracle } = town;
  const device = town.anyDevice();
  const edge = nextEdge(town, device);
  if (edge !== null && chance.is(0.5)) await town.pass(Math.max(0, edge - world.now - chance.int(0, 25 * SECOND)));
  const began = world.now;
  world.beginRequest(
    (context, since) => readState(context, device, since),
    ({ result }) => oracle.tested(device, began, "status", result.success),
    () => undefined,
  );
  await town.pass(chance.int(0, 9 * SECOND));
  for (const action of chance.pick<SwitchAction[]>([["on", "off"], ["on", "off"], ["on"], ["off"], ["off", "on"]])) {
    testSwitchOf(town, device, action);
    await town.pass(chance.int(0, 12 * SECOND));
  }
  if (chance.is(0.3)) return;
  world.beginRequest(
    async (context) => endTest(context, device),
    () => undefined,
    () => undefined,
    () => oracle.testEnding(device),
  );
  await world.calm();
}

export function testSwitchOf(town: Town, device: string, action: SwitchAction): void {
  const { world, oracle } = town;
  const asked = world.now;
  world.beginRequest(
    (context, since) => testSwitch(context, device, action, since),
    ({ action_result }) => oracle.tested(device, asked, action, action_result.success),
    () => undefined,
    () => oracle.testing(device, action),
  );
}

export async function pingAHub(town: Town): Promise<void> {
  const { chance, world, oracle } = town;
  const [hub] = [...town.city.hubs].slice(chance.int(0, Math.max(0, town.city.hubs.size - 1)));
  if (hub === undefined) return;
  const began = world.now;
  world.beginRequest(
    (context, since) => pingHub(context, hub, since),
    ({ result }) => oracle.tested(hub, began, "ping", result.success),
    () => undefined,
  );
  await world.calm();
}

/** When a curfew or a blackout begins for a light within the next hours; null where none does. */
function nextEdge({ city, world }: Town, device: string): number | null {
  const rules = rulesOf(city, device);
  if (isRestricted(rules, world.now)) return null;
  for (let at = world.now; at < world.now + 120 * MINUTE; at += MINUTE) {
    const minute = Math.ceil(at / MINUTE) * MINUTE;
    if (isRestricted(rules, minute)) return minute;
  }
  return null;
}
