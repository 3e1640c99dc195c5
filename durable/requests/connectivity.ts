import type { PingAnswer, StatusAnswer, TestAnswer } from "#domain/connectivity";
import { refusalSentence } from "#domain/desired-state";
import { guardrailAt } from "#domain/guardrail";
import type { ConnectivityAction, SwitchAction } from "#domain/enums";
import { ask, subjectAddress, withdraw, type Subject } from "#durable/dispatch/probes";
import { supersede } from "#durable/commands/command";
import { post } from "#durable/state/outbox";
import { guardrailsOf, plan, settingsOf } from "#durable/state/plan";
import { waitFor } from "./toggle";
import type { Answer } from "#durable/providers/provider";
import { unheard } from "#durable/providers/no-answer";
import { iso, namesOf } from "#durable/reporting/events";
import { look } from "#durable/reconcile/reconcile";
import { nextSeq, orgId, transact, type Room } from "#durable/state/context";
import { saveStanding, standing } from "#durable/state/device-state";

/** The browser gives up at 10 s (spec 9), and a test answers by then (decision 19), counted from when it was asked. */
const WITHIN_MS = 9_000;
/** A test that nobody ends is over after this long, and the device is reconciled (design 3). */
const HOLDS_MS = 30_000;

/** Asks a hub for a sign of life; the answer is its health too. */
export async function pingHub(room: Room, hub_id: string, since = room.now()): Promise<PingAnswer> {
  const hub = plan.hub(room.sql, hub_id);
  const answer = await put(room, "ask_ping", { hub_id }, null, since + WITHIN_MS);
  transact(room, () => {
    logTest(room, "ping_hub", { hub_id }, answer);
  });
  return {
    timestamp: iso(room.now()),
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
export async function readState(room: Room, device_id: string, since = room.now()): Promise<StatusAnswer> {
  const answer = await put(room, "ask_read", { device_id }, null, since + WITHIN_MS);
  transact(room, () => {
    logTest(room, "status_check", { device_id }, answer);
    look(room, device_id);
  });
  return {
    timestamp: iso(room.now()),
    device_name: namesOf(room, device_id, null).device_name,
    result: {
      success: answer.ok && answer.state !== "unknown",
      state: answer.ok ? answer.state : "unknown",
      provider: answer.provider,
      error: answer.ok ? null : answer.detail,
    },
  };
}

/**
 * Switches the device for a test, within the guardrails, and reads it back at once. It touches neither off_at nor on_at,
 * and holds the device: it is not reconciled until the test ends or 30 s have gone by.
 */
export async function testSwitch(
  room: Room,
  device_id: string,
  action: SwitchAction,
  since = room.now(),
): Promise<TestAnswer> {
  const deadline = since + WITHIN_MS;
  const device_name = namesOf(room, device_id, null).device_name;
  const result = (
    success: boolean,
    action_result: TestAnswer["action_result"],
    state: TestAnswer["verification_result"]["state"],
  ) => ({
    timestamp: iso(room.now()),
    device_name,
    action,
    success,
    action_result,
    verification_result: { state },
  });

  const refused = transact(room, () => hold(room, device_id, action));
  if (refused)
    return result(false, { success: false, provider: null, error: refused }, standing(room.sql, device_id).reported);
  const answer = await put(room, "ask_switch", { device_id }, action, deadline);
  transact(room, () => logTest(room, action, { device_id }, answer));
  const read = await put(room, "ask_read", { device_id }, null, deadline);
  const state = read.ok ? read.state : "unknown";
  return result(
    answer.ok && state !== (action === "on" ? "off" : "on"),
    { success: answer.ok, provider: answer.provider, error: answer.ok ? null : answer.detail },
    state,
  );
}

/** Ends a test: the device is reconciled at once. */
export function endTest(room: Room, device_id: string): void {
  transact(room, () => {
    const of = standing(room.sql, device_id);
    if (of.test_until === null) return;
    saveStanding(room.sql, { ...of, test_until: room.now() });
    look(room, device_id);
  });
}

/** Holds the device for the test; answers why not, where a guardrail forbids it. */
function hold(room: Room, device_id: string, action: SwitchAction): string | null {
  const settings = settingsOf(room.sql);
  const now = room.now();
  const guardrail = action === "on" ? guardrailAt(guardrailsOf(settings), now) : null;
  if (guardrail) {
    const sentence = refusalSentence(guardrail, settings.APP_TIMEZONE);
    logTest(room, action, { device_id }, unanswered(room, { device_id }, sentence));
    return sentence;
  }
  supersede(room, device_id, "a connectivity test runs");
  saveStanding(room.sql, { ...standing(room.sql, device_id), test_until: now + HOLDS_MS });
  look(room, device_id);
  return null;
}

async function put(
  room: Room,
  kind: "ask_ping" | "ask_read" | "ask_switch",
  of: Subject,
  action: SwitchAction | null,
  deadline: number,
): Promise<Answer> {
  const asked = transact(room, () => ask(room, kind, of, action));
  if (!asked) return unanswered(room, of, "not known to the scheduler yet");
  const answered = waitFor(room, asked.seq, Math.max(0, deadline - room.now()));
  room.kick();
  const answer = await answered;
  withdraw(room, asked.seq);
  return answer && "ok" in answer ? answer : unanswered(room, of, "no answer in time");
}

function unanswered(room: Room, of: Subject, detail: string): Answer & { ok: false } {
  const address = subjectAddress(room, of) ?? { mode: settingsOf(room.sql).PROVIDER_MODE, hub: null };
  return unheard(address, "timeout", detail);
}

function logTest(room: Room, action: ConnectivityAction, { device_id, hub_id }: Subject, answer: Answer): void {
  const id = `test:${orgId(room)}:${nextSeq(room)}`;
  const names = device_id ? namesOf(room, device_id, null) : null;
  const hub = hub_id ? plan.hub(room.sql, hub_id) : null;
  post(room, "connectivity_log", id, {
    id,
    org_id: orgId(room),
    created_at: iso(room.now()),
    action,
    device_id: device_id ?? null,
    dept_id: names?.dept_id ?? null,
    device_name: names?.device_name ?? null,
    hub_name: names?.hub_name ?? hub?.name ?? null,
    provider: answer.provider,
    result: answer.ok ? "success" : "failure",
    response_snippet: answer.snippet.slice(0, 200),
  });
}
