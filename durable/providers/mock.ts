import { DEAD_HUB, DEAD_LAMP } from "#db/seed/broken";
import type { DeviceState, SwitchAction } from "#domain/enums";
import { MOCK_ACCOUNT } from "./mock-account";
import type { FailurePlace, FailureReason, Provider, ProviderResult } from "./provider";

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
  /** Lamps that answer at the same moment share its timer, and so what they write is committed together. */
  const waits = new Map<number, Promise<void>>();
  return {
    switch: (address, action, timeout_ms) =>
      call([`lamp:${address.lamp}`, hubKey(address.hub)], address.lamp, action, timeout_ms),
    read: (address, timeout_ms) => call([`lamp:${address.lamp}`, hubKey(address.hub)], address.lamp, null, timeout_ms),
    ping: (hub, _mode, timeout_ms) => call([`hub:${hub.id}`], null, null, timeout_ms),
    list: async (hub, timeout_ms) => {
      const whom = hub ? hubKey(hub) : "account";
      const known = faultsOf(sql, [whom, "latency"]);
      await wait(Math.min(usualLatency(known), timeout_ms));
      if (known(whom).length === 0) return { ok: true, devices: MOCK_ACCOUNT };
      return { ok: false, reason: "unreachable", detail: `the simulated ${hub ? "hub" : "account"} is not reachable` };
    },
  };

  function waitTogether(ms: number): Promise<void> {
    const at = now() + ms;
    const shared = waits.get(at) ?? wait(ms).then(() => void waits.delete(at));
    waits.set(at, shared);
    return shared;
  }

  async function call(
    keys: string[],
    lamp: string | null,
    action: SwitchAction | null,
    timeout_ms: number,
  ): Promise<ProviderResult> {
    const began = now();
    const known = faultsOf(sql, [...keys, "latency"]);
    const faults = keys.flatMap((key) => known(key));
    const latency = faults.reduce((ms, f) => (f.kind === "slow" ? Math.max(ms, f.ms) : ms), usualLatency(known));
    const details = () => ({ provider: "mock" as const, http_status: null, rtt_ms: now() - began });
    if (faults.some((f) => f.kind === "offline")) {
      await waitTogether(Math.min(latency, timeout_ms));
      return { ...failed("unreachable", "hub", "not reachable"), ...details() };
    }
    const isFlaky = faults.some((f) => f.kind === "flaky") && keys.some((key) => useFlaky(sql, key, known(key)));
    if (isFlaky || faults.some((f) => f.kind === "silent")) {
      await waitTogether(Math.min(latency, timeout_ms));
      return { ...failed("device", "device", "the device did not answer"), ...details(), snippet: "mock: 000201" };
    }
    await waitTogether(Math.min(latency, timeout_ms));
    const stuck = faults.some((f) => f.kind === "stuck");
    if (lamp !== null && action !== null && !stuck) switchLamp(sql, lamp, action, now());
    if (latency > timeout_ms || faults.some((f) => f.kind === "drop" && action !== null)) {
      await waitTogether(Math.max(0, timeout_ms - latency));
      return { ...failed("timeout", "hub", "no answer in time"), ...details(), snippet: "mock: no answer" };
    }
    const state: DeviceState = lamp === null ? "unknown" : action !== null ? action : lampState(sql, lamp);
    const snippet = lamp === null ? "mock: hub answers" : `mock: state ${state}`;
    return { ok: true, state, ...details(), http_status: 200, snippet };
  }
}

function failed(reason: FailureReason, where: FailurePlace, detail: string) {
  return { ok: false as const, reason, detail, failures: [{ where, reason }], snippet: `mock: ${detail}` };
}

function hubKey(hub: { id: string } | null): string {
  return `hub:${hub?.id ?? "none"}`;
}

/** The physical state of a lamp; one that nobody has switched is dark. */
export function lampState(sql: SqlStorage, lamp: string): SwitchAction {
  const [row] = sql.exec<{ state: string }>("SELECT state FROM lamps WHERE lamp = ?", lamp).toArray();
  return row?.state === "on" ? "on" : "off";
}

/** Switches a lamp, as a call does or as somebody's hand at the pole. */
export function switchLamp(sql: SqlStorage, lamp: string, state: SwitchAction, at: number): void {
  sql.exec(
    `INSERT INTO lamps (lamp, state, switched_at) VALUES (?, ?, ?)
     ON CONFLICT (lamp) DO UPDATE SET state = excluded.state, switched_at = excluded.switched_at`,
    lamp,
    state,
    at,
  );
}

/** Sets the faults of `lamp:{lamp}`, `hub:{id}` or, as `latency`, how long every call takes; [] heals it. */
export function setFaults(sql: SqlStorage, of: string, faults: Fault[]): void {
  sql.exec("DELETE FROM faults WHERE of = ?", of);
  if (faults.length > 0 || of in DEMO_FAULTS)
    sql.exec("INSERT INTO faults (of, body) VALUES (?, ?)", of, JSON.stringify(faults));
}

/** The faults of each of the keys, in one question: every call asks. */
function faultsOf(sql: SqlStorage, keys: string[]): (key: string) => Fault[] {
  const rows = sql
    .exec<{ of: string; body: string }>(
      `SELECT of, body FROM faults WHERE of IN (${keys.map(() => "?").join(", ")})`,
      ...keys,
    )
    .toArray();
  const set = new Map<string, Fault[]>(rows.map((row) => [row.of, JSON.parse(row.body)]));
  return (key) => set.get(key) ?? DEMO_FAULTS[key] ?? [];
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
