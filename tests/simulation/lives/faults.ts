import type { Trouble } from "#tests/simulation/world/lamps";
import { LONGEST_STANDSTILL_MS } from "#tests/support/engine";
import type { WireState } from "#tests/support/wire";
import { HOUR, MINUTE, SECOND, SWEEP_EVERY, type Town } from "./town";

export async function breakDatabase(town: Town): Promise<void> {
  const { chance, world } = town;
  const { wire } = world;
  town.oracle.check();
  wire.state = chance.pick<WireState>([
    { kind: "down" },
    { kind: "lossy" },
    { kind: "slow", ms: chance.int(100, 3_000) },
    { kind: "hung" },
  ]);
  // What hung is carried late, or never.
  const isLate = chance.is(0.5);
  town.oracle.desk.trace.note(null, `D1 is ${wire.state.kind}`);
  world.outside(chance.int(1, chance.is(0.1) ? 5 * 3_600 : 300) * SECOND, () => {
    town.oracle.heal(() => {
      wire.state = { kind: "up" };
      if (isLate) wire.letGo();
      else wire.cutOff();
    }, "D1 is up");
  });
}

export async function bendAlarm(town: Town): Promise<void> {
  const { chance, world, oracle } = town;
  const what = chance.int(0, 3);
  if (what === 0) {
    if (world.now < world.down_until) return;
    oracle.desk.trace.note(null, "the alarm rings though nobody asked, twice");
    void world.ring();
    return world.ring();
  }
  if (world.alarm_at === null) return;
  if (what === 1) {
    oracle.desk.trace.note(null, "the next alarm is lost");
    world.sweepAfter(Math.max(0, world.alarm_at - world.now) + chance.int(0, SWEEP_EVERY));
    world.alarm_at = null;
    return;
  }
  world.alarm_at += chance.pick([chance.int(1, 2_000), chance.int(1, 300) * SECOND]);
  oracle.desk.trace.note(null, `the next alarm is late: ${new Date(world.alarm_at).toISOString().slice(11, 23)}`);
}

export async function breakSomething(town: Town): Promise<void> {
  const { chance, lamps, world } = town;
  const lamp = town.city.devices.get(town.anyDevice())?.lamp ?? "";
  const [hub] = [...town.city.hubs].slice(chance.int(0, Math.max(0, town.city.hubs.size - 1)));
  const of = chance.is(0.3) && hub !== undefined ? `hub:${hub}` : `lamp:${lamp}`;
  const trouble: Trouble = chance.pick<Trouble>([
    { kind: "offline" },
    { kind: "flaky", n: chance.int(1, 4) },
    { kind: "stuck" },
    { kind: "drop" },
    { kind: "blind" },
    { kind: "slow", ms: chance.int(500, 8_400) },
    { kind: "slow", ms: chance.int(8_600, 20_000) },
  ]);
  town.oracle.heal(() => lamps.troubles.set(of, trouble), `${of} is ${trouble.kind}`);
  const lasts = chance.pick([chance.int(1, 120) * SECOND, chance.int(1, 60) * MINUTE, chance.int(1, 12) * HOUR]);
  world.outside(lasts, () => {
    if (lamps.troubles.get(of) === trouble) town.oracle.heal(() => lamps.troubles.delete(of), `${of} is well`);
  });
}

export function downtime(town: Town): number {
  const { chance } = town;
  const down = chance.pick([0, chance.int(1, 60) * SECOND, chance.int(1, 60) * MINUTE, chance.int(1, 9) * HOUR]);
  town.world.sweepAfter(down + chance.int(0, SWEEP_EVERY));
  return down;
}

/** The clock that the engine reads jumps by up to five minutes, and is set right some time later. */
export async function jumpClock(town: Town): Promise<void> {
  const { chance, world, oracle } = town;
  if (world.skew_ms !== 0) return;
  const skew_ms = chance.int(-300, 300) * SECOND;
  const lasts = chance.pick([chance.int(1, 10) * MINUTE, chance.int(1, 12) * HOUR]);
  // A call that is under way while the clock jumps is lost, or waits for ever: its lease is a matter of seconds.
  await town.untilCallsAreOver();
  oracle.setClock(skew_ms);
  world.outside(lasts, () => {
    town.clockIsRightAt = world.now;
  });
}

/** The clock is hours ahead, as a machine's of one's own may be until the network's time corrects it. */
export async function setHoursAhead(town: Town): Promise<void> {
  const { chance, world, oracle } = town;
  if (world.skew_ms !== 0) return;
  await town.untilCallsAreOver();
  oracle.setClock(chance.int(1, 9 * 60) * MINUTE + 11 * MINUTE);
  world.outside(chance.pick([chance.int(1, 30) * MINUTE, chance.int(1, 5) * HOUR]), () => {
    town.clockIsRightAt = world.now;
  });
}

/** Somebody sets the clock right; where it was hours ahead, the server is started again. */
export async function rightClock(town: Town): Promise<void> {
  town.clockIsRightAt = Infinity;
  await town.untilCallsAreOver();
  if (town.world.skew_ms > LONGEST_STANDSTILL_MS) town.world.die(downtime(town));
  town.oracle.setClock(0);
}
