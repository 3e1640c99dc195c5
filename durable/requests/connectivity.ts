import type { PingAnswer, StatusAnswer, TestAnswer } from "#domain/hubs/connectivity";
import { refusedNow } from "#durable/reconcile/refused-now";
import type { ConnectivityAction, SwitchAction } from "#domain/enums";
import { toIso } from "#domain/time/to-iso";
import { enqueueProbe, subjectAddress, withdrawProbe, type Subject } from "#durable/dispatch/probes";
import { supersede } from "#durable/commands/command";
import { enqueue } from "#durable/state/outbox";
import { plan, settingsOf } from "#durable/state/plan";
import { waitFor } from "./wait";
import type { ProviderResult } from "#durable/providers/provider";
import { noAnswer } from "#durable/providers/no-answer";
import { deptNow, namesOf, type Names } from "#durable/reporting/events";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { nextSeq, orgId } from "#durable/state/meta";
import { transact, type EngineContext, type Probe } from "#durable/state/context";
import { saveMemory, memoryOf } from "#durable/state/device-memory";

/** The browser gives up at 10 s, and a test answers by then, counted from when it was asked. */
const WITHIN_MS = 9_000;
/** A test that nobody ends is over after this long, and the device is reconciled. */
const HOLDS_MS = 30_000;

/** A test's light or hub, by the names that it had when it was asked for: it may be gone when it is answered. */
type Tested = { hub_name: string | null; device?: { device_id: string; names: Names } };

/** Asks a hub for a sign of life; the answer is its health too. */
export async function pingHub(context: EngineContext, hub_id: string, since = context.now()): Promise<PingAnswer> {
  const hub = plan.hub(context.sql, hub_id);
  const answer = await runProbe(context, "probe_ping", { hub_id }, null, since + WITHIN_MS);
  transact(context, () => logTest(context, "ping_hub", { hub_name: hub?.name ?? null }, answer));
  return {
    timestamp: toIso(context.now()),
    hub_name: hub?.name ?? "Unknown Hub",
    ip_address: hub?.ip_address ?? null,
    result: {
      success: answer.ok,
      rtt_ms: answer.ok ? answer.rtt_ms : null,
      detail: answer.ok ? null : answer.detail,
      provider: answer.provider,
    },
  };
}

/** Reads the device's state now. */
export async function readState(
  context: EngineContext,
  device_id: string,
  since = context.now(),
): Promise<StatusAnswer> {
  const tested = testedLight(context, device_id);
  const answer = await runProbe(context, "probe_read", { device_id }, null, since + WITHIN_MS);
  transact(context, () => logTest(context, "status_check", tested, answer));
  return {
    timestamp: toIso(context.now()),
    device_name: tested.device.names.device_name,
    result: {
      success: answer.ok && answer.state !== "unknown",
      state: answer.ok ? answer.state : "unknown",
      provider: answer.provider,
      error: answer.ok ? null : answer.detail,
    },
  };
}

/**
 * Switches the device for a test, within what limits it, and reads it back at once. It touches neither off_at nor on_at,
 * and holds the device: it is not reconciled until the test ends or 30 s have gone by.
 */
export async function testSwitch(
  context: EngineContext,
  device_id: string,
  action: SwitchAction,
  since = context.now(),
): Promise<TestAnswer> {
  const deadline = since + WITHIN_MS;
  const tested = testedLight(context, device_id);
  const result = (
    success: boolean,
    action_result: TestAnswer["action_result"],
    state: TestAnswer["verification_result"]["state"],
  ) => ({
    timestamp: toIso(context.now()),
    device_name: tested.device.names.device_name,
    action,
    success,
    action_result,
    verification_result: { state },
  });

  const refused = transact(context, () => hold(context, device_id, action));
  if (refused)
    return result(false, { success: false, provider: null, error: refused }, memoryOf(context.sql, device_id).reported);
  const answer = await runProbe(context, "probe_switch", { device_id }, action, deadline);
  transact(context, () => logTest(context, action, tested, answer));
  const read = await runProbe(context, "probe_verify", { device_id }, null, deadline);
  const state = read.ok ? read.state : "unknown";
  return result(
    answer.ok && state !== (action === "on" ? "off" : "on"),
    { success: answer.ok, provider: answer.provider, error: answer.ok ? null : answer.detail },
    state,
  );
}

/** Ends a test: the device is reconciled at once. */
export function endTest(context: EngineContext, device_id: string): void {
  transact(context, () => {
    const memory = memoryOf(context.sql, device_id);
    if (memory.test_until === null) return;
    saveMemory(context.sql, { ...memory, test_until: context.now() });
    reconcileDevice(context, device_id);
  });
}

/**
 * Holds the device for the test; answers why not, where a guardrail forbids it. One that the plan does not know yet is not
 * tested, and held it would stay dark when it comes with its booking.
 */
function hold(context: EngineContext, device_id: string, action: SwitchAction): string | null {
  const now = context.now();
  const sentence = action === "on" ? refusedNow(context, device_id) : null;
  if (sentence !== null) {
    logTest(context, action, testedLight(context, device_id), unanswered(context, { device_id }, sentence));
    return sentence;
  }
  if (!plan.device(context.sql, device_id)) return null;
  supersede(context, device_id, "a connectivity test runs");
  saveMemory(context.sql, { ...memoryOf(context.sql, device_id), test_until: now + HOLDS_MS });
  reconcileDevice(context, device_id);
  return null;
}

async function runProbe(
  context: EngineContext,
  kind: Probe["kind"],
  subject: Subject,
  action: SwitchAction | null,
  deadline: number,
): Promise<ProviderResult> {
  const probe = transact(context, () => enqueueProbe(context, kind, subject, action));
  if (!probe) return unanswered(context, subject, "not known to the scheduler yet");
  const replied = waitFor(context, probe.seq, Math.max(0, deadline - context.now()));
  context.startRunners();
  const answer = await replied;
  withdrawProbe(context, probe.seq);
  return answer && "ok" in answer ? answer : unanswered(context, subject, "no answer in time");
}

function unanswered(context: EngineContext, subject: Subject, detail: string): ProviderResult & { ok: false } {
  const address = subjectAddress(context, subject) ?? { mode: settingsOf(context.sql).PROVIDER_MODE, hub: null };
  return noAnswer(address, "timeout", detail);
}

function testedLight(context: EngineContext, device_id: string): Required<Tested> {
  const names = namesOf(context, device_id, null);
  return { hub_name: names.hub_name, device: { device_id, names } };
}

function logTest(
  context: EngineContext,
  action: ConnectivityAction,
  { hub_name, device }: Tested,
  answer: ProviderResult,
): void {
  const id = `test:${orgId(context)}:${nextSeq(context)}`;
  enqueue(context, "connectivity_log", id, {
    id,
    org_id: orgId(context),
    created_at: toIso(context.now()),
    action,
    device_id: device?.device_id ?? null,
    dept_id: device ? deptNow(context, device) : null,
    device_name: device?.names.device_name ?? null,
    hub_name,
    provider: answer.provider,
    result: answer.ok ? "success" : "failure",
    response_snippet: answer.snippet.slice(0, 200),
  });
}
