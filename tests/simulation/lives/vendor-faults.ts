import type { Fault } from "#tests/yolink/packets";
import type { Trouble } from "#tests/simulation/world/lamps";
import { VendorLamps } from "#tests/simulation/world/vendor";
import { HOUR, MINUTE, SECOND, type Town } from "./town";

/** Something of the vendor's goes wrong: a lamp, a hub, the cloud, or the tokens. */
export async function breakVendor(town: Town): Promise<void> {
  const { chance, lamps } = town;
  if (!(lamps instanceof VendorLamps)) return;
  const { simulator } = lamps;
  const what = chance.int(0, 9);
  if (what === 0) return noted(town, "the cloud's tokens expire", () => simulator.cloud.expireAll());
  if (what === 1) return noted(town, "the cloud's tokens are revoked", () => simulator.cloud.revokeAll());
  if (what === 2)
    return noted(town, "the hubs' tokens expire", () => simulator.hubs.forEach(({ issuer }) => issuer.expireAll()));
  if (what === 3) return noted(town, "the devices' tokens change", () => simulator.changeDeviceTokens());
  const lamp = town.city.devices.get(town.anyDevice())?.lamp ?? "";
  const [hub] = [...town.city.hubs].slice(chance.int(0, Math.max(0, town.city.hubs.size - 1)));
  const refusals: Fault[] = [
    { kind: "status", status: 429, retry_after_sec: chance.int(1, 90) },
    { kind: "status", status: 429, of: "token", retry_after_sec: chance.int(1, 90) },
    { kind: "status", status: 401, of: chance.pick(["token", "api"]) },
    { kind: "status", status: 503 },
    { kind: "html" },
    { kind: "garbage" },
  ];
  const away: Fault[] = [
    { kind: "offline" },
    { kind: "silent" },
    { kind: "slow", ms: chance.int(500, 6_000) },
    { kind: "stuck" },
  ];
  const ofLamp: Fault[] = [
    { kind: "offline" },
    { kind: "flaky", n: chance.int(1, 4) },
    { kind: "stuck" },
    { kind: "drop" },
    { kind: "slow", ms: chance.int(500, 5_000) },
    { kind: "code", code: chance.pick(["020104", "000201", "010000"]) },
  ];
  if (what < 7) return breakOne(town, `lamp:${lamp}`, anyOf(town, ofLamp));
  if (what < 9 && hub !== undefined) return breakOne(town, `hub:${hub}`, anyOf(town, [...away, ...refusals]));
  return breakOne(town, "cloud", anyOf(town, [...away, ...refusals]));
}

function anyOf({ chance }: Town, faults: Fault[]): Fault {
  return faults[chance.int(0, faults.length - 1)] ?? { kind: "offline" };
}

async function breakOne(town: Town, of: string, fault: Fault): Promise<void> {
  const { chance, lamps, world, oracle } = town;
  const trouble: Trouble = fault.kind === "offline" ? fault : { kind: "vendor", faults: [fault] };
  const told = `${of}: ${JSON.stringify(fault)}`;
  oracle.heal(() => {
    lamps.troubles.set(of, trouble);
    lamps.setFaults(of, [fault]);
  }, told);
  const lasts = chance.pick([chance.int(1, 120) * SECOND, chance.int(1, 60) * MINUTE, chance.int(1, 12) * HOUR]);
  world.outside(lasts, () => {
    if (lamps.troubles.get(of) !== trouble) return;
    oracle.heal(() => {
      lamps.troubles.delete(of);
      lamps.setFaults(of, []);
    }, `${of} is well`);
  });
}

async function noted(town: Town, what: string, change: () => void): Promise<void> {
  town.oracle.heal(change, what);
}
