import { newAccess } from "./access";
import type { Backups } from "./backups";
import { bendAlarm, breakDatabase, breakSomething, downtime, jumpClock } from "./faults";
import { regroup } from "./groups";
import { changeAtAnInstant } from "./instants";
import { newLimit } from "./limits";
import { newCalendar, skipNight } from "./nights";
import { newMode } from "./modes";
import { moveUnderWay, rebuildUnderWay } from "./moves";
import { newPlace } from "./places";
import { addSchedule, cancelSchedule, editSchedule } from "./plans";
import { toggleQuickly, toggleSome } from "./toggles";
import { rebuild } from "./rebuild";
import { stopService } from "./service";
import { newGuardrails, newMonitoring } from "./settings";
import { pingAHub, testLight } from "./testers";
import type { Town } from "./town";
import { breakVendor } from "./vendor-faults";

type Happening = (town: Town, backups: Backups) => Promise<void>;

/** What happens in a life, each so often in a hundred times. */
const HAPPENINGS: [often: number, what: Happening][] = [
  [16, toggleSome],
  [2, changeAtAnInstant],
  [1, rebuildUnderWay],
  [1, testLight],
  [1, pingAHub],
  [2, toggleQuickly],
  [8, addSchedule],
  [1, stopService],
  [2, cancelSchedule],
  [2, editSchedule],
  [3, (town) => (town.chance.is(0.6) ? skipNight(town) : newCalendar(town))],
  [4, (town) => (town.chance.is(0.4) ? newGuardrails(town) : newLimit(town))],
  [2, (town) => newMonitoring(town)],
  [2, moveUnderWay],
  [4, rebuild],
  [4, (town) => (town.chance.is(0.5) ? regroup(town) : newPlace(town))],
  [4, async (town) => town.world.die(downtime(town))],
  [9, async (town) => town.world.dieAfter(town.chance.int(1, 80), downtime(town))],
  [4, breakDatabase],
  [5, bendAlarm],
  // Of a vendor's limits only a clock that is right can keep count.
  [2, (town) => (town.lamps.mode === "mock" ? jumpClock(town) : breakVendor(town))],
  [2, (_, backups) => backups.happen()],
  [1, (town) => (town.lamps.mode === "mock" ? testLight(town) : town.chance.is(0.5) ? newMode(town) : newAccess(town))],
  [11, (town) => (town.lamps.mode === "mock" ? breakSomething(town) : breakVendor(town))],
  [7, switchByHand],
];

export async function happen(town: Town, backups: Backups): Promise<void> {
  let left = town.chance.int(1, 100);
  for (const [often, what] of HAPPENINGS) {
    left -= often;
    if (left <= 0) return what(town, backups);
  }
  throw new Error("what happens in a life adds up to less than a hundred");
}

/** Somebody's hand at the pole. */
async function switchByHand(town: Town): Promise<void> {
  const device = town.city.devices.get(town.anyDevice());
  if (device) town.oracle.switchExternally(device.lamp, town.chance.is(0.6) ? "on" : "off");
}
