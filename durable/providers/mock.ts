import { DEAD_HUB, DEAD_LAMP } from "#db/seed/broken";
import type { DeviceState, SwitchAction } from "#domain/enums";
import { ALL_SOCKETS } from "#domain/light/sockets";
import { MOCK_ACCOUNT } from "./mock-account";
import type { Address, FailurePlace, FailureReason, Provider, ProviderResult } from "./provider";
import { socketsLit } from "./sockets-lit";

/** What can be made to go wrong with a simulated lamp or hub. */
export type Fault =
  /** Nothing answers: a hub that is off the net, or a lamp without power. */
  | { kind: "offline" }
  /** The hub answers for a lamp that does not. */
  | { kind: "silent" }
  /** The next `n` calls fail as a busy radio does. */
  | { kind: "flaky"; n: number }
  /** Answers success, but the lamp stays as it is. */
  | { kind: "stuck" }
  /** Does what it is told, but the answer is lost. */
  | { kind: "drop" }
  /** Answers after `ms`. */
  | { kind: "slow"; ms: number };

type Wait = (ms: number) => Promise<void>;

const DEFAULT_LATENCY_MS = 120;

/** Broken for as long as nobody heals it with `setFaults`. */
const DEMO_FAULTS: Record<string, Fault[]> = {
  [`hub:${DEAD_HUB}`]: [{ kind: "offline" }],
  [`lamp:${DEAD_LAMP}`]: [{ kind: "silent" }],
};

/**
 * The simulated lamps and hubs of provider mode mock. Their physical state lives in the object's SQLite, so
 * that a lamp burns on through a crash. A fault can be set on a lamp (`lamp:{lamp}`), on a hub (`hub:{id}`) or on the `account`.
 */
export function mockProvider(sql: SqlStorage, now: () => number, wait: Wait): Provider {
  const moments = new Map<number, Moment>();
  return {
    switch: (address, action, timeout_ms) =>
      call([`lamp:${address.lamp}`, hubKey(address.hub)], lampOf(address), action, timeout_ms),
    read: (address, timeout_ms) =>
      call([`lamp:${address.lamp}`, hubKey(address.hub)], lampOf(address), null, timeout_ms),
    ping: (hub, _mode, timeout_ms) => call([`hub:${hub.id}`], null, null, timeout_ms),
    list: async (hub, timeout_ms) => {
      const whom = hub ? hubKey(hub) : "account";
      const known = faultsAt(sql, now());
      await wait(Math.min(usualLatency(known), timeout_ms));
      if (known(whom).length === 0) return { ok: true, devices: MOCK_ACCOUNT };
      return { ok: false, reason: "unreachable", detail: `the simulated ${hub ? "hub" : "account"} is not reachable` };
    },
  };

  /** The moment in `ms`, which all calls that end then share. */
  function momentIn(ms: number): Moment {
    const at = now() + ms;
    const shared = moments.get(at);
    if (shared) return shared;
    const switched: Moment["switched"] = new Map();
    const read: Moment["read"] = new Set();
    const states = wait(ms).then(() => {
      moments.delete(at);
      switchLamps(sql, switched, now());
      return lampStates(sql, read);
    });
    const moment = { switched, read, states };
    moments.set(at, moment);
    return moment;
  }

  async function call(
    keys: string[],
    lamp: string | null,
    action: SwitchAction | null,
    timeout_ms: number,
  ): Promise<ProviderResult> {
    const began = now();
    const known = faultsAt(sql, began);
    const faults = keys.flatMap((key) => known(key));
    const latency = faults.reduce((ms, f) => (f.kind === "slow" ? Math.max(ms, f.ms) : ms), usualLatency(known));
    const details = () => ({ provider: "mock" as const, http_status: null, rtt_ms: now() - began });
    const moment = momentIn(Math.min(latency, timeout_ms));
    if (faults.some((f) => f.kind === "offline")) {
      await moment.states;
      return { ...failed("unreachable", "hub", "not reachable"), ...details() };
    }
    const isFlaky = faults.some((f) => f.kind === "flaky") && keys.some((key) => useFlaky(sql, key, known(key)));
    if (isFlaky || faults.some((f) => f.kind === "silent")) {
      await moment.states;
      return { ...failed("device", "device", "the device did not answer"), ...details(), snippet: "mock: 000201" };
    }
    const stuck = faults.some((f) => f.kind === "stuck");
    if (lamp !== null && action !== null && !stuck) moment.switched.set(lamp, action);
    if (lamp !== null && action === null) moment.read.add(lamp);
    const states = await moment.states;
    if (latency > timeout_ms || faults.some((f) => f.kind === "drop" && action !== null)) {
      await momentIn(Math.max(0, timeout_ms - latency)).states;
      return { ...failed("timeout", "hub", "no answer in time"), ...details(), snippet: "mock: no answer" };
    }
    const state: DeviceState = action ?? (lamp === null ? "unknown" : (states.get(lamp) ?? "off"));
    const snippet = lamp === null ? "mock: hub answers" : `mock: state ${state}`;
    return { ok: true, state, ...details(), http_status: 200, snippet };
  }
}

/**
 * When calls end: what they switch is written by one statement, and what they read is then read by one, in a storm of
 * thousands a twentieth of all work. `states`: those of the lamps that are read, once it has come.
 */
type Moment = {
  switched: Map<string, SwitchAction>;
  read: Set<string>;
  states: Promise<Map<string, SwitchAction>>;
};

function failed(reason: FailureReason, where: FailurePlace, detail: string) {
  return { ok: false as const, reason, detail, failures: [{ where, reason }], snippet: `mock: ${detail}` };
}

/** Lights that share a strip, and so a Cloud ID, are told apart by their sockets. */
function lampOf(address: Address): string {
  const { lamp, local_ref, on_payload } = address;
  if ((local_ref === null && on_payload === null) || lamp.includes("#")) return lamp;
  const sockets = socketsLit(address);
  return sockets === ALL_SOCKETS ? lamp : `${lamp}#${sockets}`;
}

function hubKey(hub: { id: string } | null): string {
  return `hub:${hub?.id ?? "none"}`;
}

/** The physical state of a lamp; one that nobody has switched is dark. */
export function lampState(sql: SqlStorage, lamp: string): SwitchAction {
  return lampStates(sql, new Set([lamp])).get(lamp) ?? "off";
}

/** Those that somebody has switched. */
function lampStates(sql: SqlStorage, lamps: Set<string>): Map<string, SwitchAction> {
  if (lamps.size === 0) return new Map();
  const rows = sql
    .exec<{ lamp: string; state: SwitchAction }>(
      "SELECT lamp, state FROM lamps WHERE lamp IN (SELECT value FROM json_each(?))",
      JSON.stringify([...lamps]),
    )
    .toArray();
  return new Map(rows.map(({ lamp, state }) => [lamp, state]));
}

/** Switches a lamp, as a call does or as somebody's hand at the pole. */
export function switchLamp(sql: SqlStorage, lamp: string, state: SwitchAction, at: number): void {
  switchLamps(sql, new Map([[lamp, state]]), at);
}

function switchLamps(sql: SqlStorage, lamps: Map<string, SwitchAction>, at: number): void {
  if (lamps.size === 0) return;
  sql.exec(
    `INSERT INTO lamps (lamp, state, switched_at) SELECT value ->> 0, value ->> 1, ? FROM json_each(?) WHERE TRUE
     ON CONFLICT (lamp) DO UPDATE SET state = excluded.state, switched_at = excluded.switched_at`,
    at,
    JSON.stringify([...lamps]),
  );
}

/** Sets the faults of `lamp:{lamp}`, `hub:{id}` or, as `latency`, how long every call takes; [] heals it. */
export function setFaults(sql: SqlStorage, of: string, faults: Fault[]): void {
  asked.delete(sql);
  sql.exec("DELETE FROM faults WHERE of = ?", of);
  if (faults.length > 0 || of in DEMO_FAULTS)
    sql.exec("INSERT INTO faults (of, body) VALUES (?, ?)", of, JSON.stringify(faults));
}

/** What the table said in this instant: a hundred calls leave in one, and each asks. */
const asked = new WeakMap<SqlStorage, { at: number; faults: Map<string, Fault[]> }>();

/** The faults of lamps, hubs and the account at this instant (epoch ms); whoever is not listed is well. */
function faultsAt(sql: SqlStorage, at: number): (key: string) => Fault[] {
  const known = asked.get(sql);
  const faults = known?.at === at ? known.faults : readFaults(sql);
  if (known?.at !== at) asked.set(sql, { at, faults });
  return (key) => faults.get(key) ?? DEMO_FAULTS[key] ?? [];
}

function readFaults(sql: SqlStorage): Map<string, Fault[]> {
  const rows = sql.exec<{ of: string; body: string }>("SELECT of, body FROM faults").toArray();
  return new Map(rows.map((row) => [row.of, JSON.parse(row.body)]));
}

function useFlaky(sql: SqlStorage, of: string, faults: Fault[]): boolean {
  const flaky = faults.find((f) => f.kind === "flaky");
  if (!flaky) return false;
  const rest = faults.filter((f) => f !== flaky);
  setFaults(sql, of, flaky.n > 1 ? [...rest, { kind: "flaky", n: flaky.n - 1 }] : rest);
  return true;
}

function usualLatency(known: (key: string) => Fault[]): number {
  return known("latency").reduce((ms, f) => (f.kind === "slow" ? f.ms : ms), DEFAULT_LATENCY_MS);
}
