import { toggleMany } from "#durable/requests/toggle";
import type { MoreOfToggle } from "#tests/support/engine";
import { isDark } from "#tests/simulation/oracle/limits";
import type { Toggle } from "#tests/simulation/oracle/toggles";
import { HOUR, MINUTE, SECOND, type Town } from "./town";

const LENGTHS = [MINUTE, 20 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR] as const;

const SOMEONE = { id: "someone", email: "someone@parks.example" };

/** Somebody asks for ON or OFF, now and then with an end, for an emergency, or back to the schedule. */
export async function toggleSome(town: Town): Promise<void> {
  if (town.chance.is(0.15)) return toggleGroup(town, anyToggle(town));
  const device = anyLight(town);
  const isDarkNow = isDark(town.city, device, town.world.now);
  const asked = isDarkNow && town.chance.is(0.4) ? emergency(town) : anyToggle(town);
  await toggleOne(town, device, asked);
  // Now and then it was the wrong light, and is wanted on again before its lamp has cooled.
  if (asked.action !== "off" || town.chance.is(0.6)) return;
  await town.pass(town.chance.int(10 * SECOND, 10 * MINUTE));
  await toggleOne(town, device, town.chance.is(0.5) ? plain("auto") : plain("on"));
}

/** Mostly one that is wanted on, or burns. */
function anyLight(town: Town): string {
  const { books } = town.oracle.desk;
  const wanted = [...books.values()].filter(({ want, lit_since }) => want === "on" || lit_since !== null);
  const some = wanted[town.chance.int(0, Math.max(0, wanted.length - 1))];
  return some && town.chance.is(0.6) ? some.id : town.anyDevice();
}

export function plain(action: Toggle["action"]): Toggle {
  return { action, until: null, isEmergency: false };
}

export function anyToggle(town: Town): Toggle {
  const { chance, world } = town;
  const until = world.now + chance.pick(LENGTHS);
  const what = chance.int(0, 99);
  if (what < 28) return plain("on");
  if (what < 48) return plain("off");
  if (what < 63) return { action: "on", until, isEmergency: false };
  if (what < 78) return { action: "off", until, isEmergency: false };
  if (what < 90) return plain("auto");
  return emergency(town);
}

/** Mostly asked for where nothing else may light it. */
function emergency({ chance, world }: Town): Toggle {
  const until = world.now + Math.min(12 * HOUR, chance.pick(LENGTHS));
  return { action: "on", until, isEmergency: true };
}

/** The toggle as the engine gets it. */
function moreOf({ until, isEmergency }: Toggle): MoreOfToggle {
  if (until === null) return {};
  const reason = isEmergency ? "police" : "rain";
  return { until: new Date(until).toISOString(), reason, ...(isEmergency && { emergency: true }) };
}

export async function toggleOne(town: Town, device: string, asked: Toggle): Promise<void> {
  const { world, oracle } = town;
  let began = world.now;
  world.beginToggle(
    device,
    asked.action,
    ({ success, detail }) => oracle.toggled(device, asked, began, { success, detail }),
    () => {
      began = world.now;
      oracle.toggles(device, asked);
    },
    moreOf(asked),
  );
  await world.calm();
}

/** All lights of a group or an area, in one toggle. */
async function toggleGroup(town: Town, asked: Toggle): Promise<void> {
  const { chance } = town;
  const group = chance.is(0.5) ? town.anyGroup() : undefined;
  const target =
    group === undefined ? ({ kind: "area", id: town.anyArea() } as const) : ({ kind: "group", id: group } as const);
  await toggleLights(town, town.lightsOf(target), asked);
}

/** These lights, in one toggle. */
export async function toggleLights(town: Town, device_ids: string[], asked: Toggle): Promise<void> {
  const { world, oracle } = town;
  if (device_ids.length === 0) return;
  let began = world.now;
  const request = { device_ids, action: asked.action, actor: SOMEONE, ...moreOf(asked) };
  world.beginRequest(
    (context, since) => toggleMany(context, request, since),
    (rows) => {
      for (const { device_id, success, detail } of rows) oracle.toggled(device_id, asked, began, { success, detail });
    },
    () => undefined,
    () => {
      began = world.now;
      for (const device of device_ids) oracle.toggles(device, asked);
    },
  );
  await world.calm();
}

export async function toggleQuickly(town: Town): Promise<void> {
  const device = anyLight(town);
  for (let i = town.chance.int(2, 7); i > 0; i -= 1) {
    const action = i % 2 === 0 ? "on" : "off";
    await toggleOne(town, device, town.chance.is(0.7) ? plain(action) : anyToggle(town));
    await town.pass(town.chance.int(0, 1_500));
  }
}
