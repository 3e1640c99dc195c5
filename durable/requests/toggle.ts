import { pressedBy } from "#domain/actor";
import { toggleOff, toggleOn, refusalSentence } from "#domain/desired-state";
import type { ToggleResult } from "#domain/records";
import type { DeviceState, SwitchAction } from "#domain/enums";
import { commandFor, startCommand } from "#durable/commands/command";
import { guardrailsOf, plan, settingsOf } from "#durable/state/plan";
import { namesOf, recordCall, recordEvent } from "#durable/reporting/events";
import { claimsAt, look, openSchedules } from "#durable/reconcile/reconcile";
import { nextSeq, transact, type Room, type Told } from "#durable/state/context";
import { saveStanding, standing } from "#durable/state/device-state";

/** Spec 9: the browser gives up at 10 s. */
const ANSWER_WITHIN_MS = 8_800;

export type Press = { device_id: string; action: SwitchAction; actor: { id: string; email: string } };

type Begun = { refused: ToggleResult } | { seq: number };

/**
 * A person's ON or OFF. An ON that a guardrail forbids is refused and changes nothing; anything else is sent, whatever
 * the state is believed to be (scenario 29), and answered at the provider's answer, or 8.8 s after `since`, when the
 * person asked (design 3, decision 19).
 */
export async function press(room: Room, pressed: Press, since: number = room.now()): Promise<ToggleResult> {
  const begun = transact(room, () => begin(room, pressed));
  if ("refused" in begun) return begun.refused;
  const answered = waitFor(room, begun.seq, since + ANSWER_WITHIN_MS - room.now());
  room.kick();
  return toResult(room, pressed, await answered);
}

function begin(room: Room, { device_id, action, actor }: Press): Begun {
  const device = plan.device(room.sql, device_id);
  if (!device)
    return { refused: answer(action, "unknown", "The device is not known to the scheduler yet. Try again.") };
  const now = room.now();
  const settings = settingsOf(room.sql);
  const before = standing(room.sql, device_id);
  if (action === "on") {
    const claims = claimsAt(openSchedules(room.sql, device, plan.area(room.sql, device.area_id)), now);
    const pressed = toggleOn({ now, claims, instants: before, guardrails: guardrailsOf(settings) });
    if ("refused" in pressed) {
      const detail = refusalSentence(pressed.refused, settings.APP_TIMEZONE);
      recordRefused(room, device_id, actor.email, detail);
      return { refused: answer(action, before.reported, detail) };
    }
    saveStanding(room.sql, { ...before, ...pressed.instants, test_until: null });
  } else {
    saveStanding(room.sql, { ...before, ...toggleOff({ now, instants: before }), test_until: null });
  }
  const command = startCommand(room, device_id, { action, source: "manual", reason: pressedBy(actor.email) });
  look(room, device_id);
  return { seq: command?.seq ?? 0 };
}

/** Decision 19: scheduler event fail with attempts 0, device event failure; it never notifies. */
function recordRefused(room: Room, device_id: string, email: string, detail: string): void {
  const names = namesOf(room, device_id, null);
  const id = `refused:${device_id}:${nextSeq(room)}`;
  recordEvent(room, id, {
    device_id,
    device_name: names.device_name,
    dept_id: names.dept_id,
    source: "manual",
    action: "on",
    result: "fail",
    attempts: 0,
    note: `${pressedBy(email)} · refused: ${detail}`,
  });
  recordCall(
    room,
    id,
    { device_id, names, action: "on" },
    { ok: false, provider: null, http_status: null, snippet: detail },
  );
}

/** What the command or ask is answered with, or null after `within_ms`. */
export function waitFor(room: Room, seq: number, within_ms: number): Promise<Told | null> {
  return new Promise((resolve) => {
    const callOff = room.after(within_ms, () => settle(null));
    const settle = (answered: Told | null) => {
      callOff();
      room.waiting.delete(seq);
      resolve(answered);
    };
    room.waiting.set(seq, settle);
  });
}

function toResult(room: Room, { device_id, action }: Press, answered: Told | null): ToggleResult {
  const { reported } = standing(room.sql, device_id);
  if (answered === null) return answer(action, reported, "No answer yet; still trying");
  if ("superseded" in answered) return answer(action, reported, `Not done: ${answered.superseded}`);
  if (!answered.ok) {
    const isTried = commandFor(room.sql, device_id) !== null;
    const detail = isTried ? `${answered.detail}; still trying` : answered.detail;
    return { ...answer(action, reported, detail), provider: answered.provider };
  }
  return { success: true, action, state: action, provider: answered.provider, detail: null };
}

function answer(action: SwitchAction, state: DeviceState, detail: string): ToggleResult {
  return { success: false, action, state, provider: null, detail };
}
