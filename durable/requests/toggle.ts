import { pressedBy } from "#domain/actor";
import { claimsAt } from "#domain/claims";
import { toggleOff, toggleOn } from "#domain/toggles";
import { refusalSentence } from "#domain/reason-sentence";
import type { ToggleResult } from "#domain/records";
import type { DeviceState, SwitchAction } from "#domain/enums";
import { commandFor, startCommand } from "#durable/commands/command";
import { refusedNow } from "#durable/reconcile/refused-now";
import { plan, settingsOf } from "#durable/state/plan";
import { namesOf, recordCall, recordEvent } from "#durable/reporting/events";
import { viewOf } from "#durable/reconcile/look";
import { makeUpLooks } from "#durable/reconcile/missed-looks";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { nextSeq, transact, type EngineContext, type RequestResult } from "#durable/state/context";
import { saveMemory, memoryOf } from "#durable/state/device-memory";

/** The browser gives up at 10 s. */
const ANSWER_WITHIN_MS = 8_800;

/** Who wants what of which device; the actor's e-mail address becomes part of the records. */
export type ToggleRequest = { device_id: string; action: SwitchAction; actor: { id: string; email: string } };

type Begun = { refused: ToggleResult } | { seq: number };

/**
 * A person's ON or OFF. An ON that a guardrail forbids is refused and changes nothing; anything else is sent, whatever
 * the state is believed to be, and answered at the provider's answer, or 8.8 s after `since`, when the
 * person asked.
 */
export async function toggle(
  context: EngineContext,
  request: ToggleRequest,
  since: number = context.now(),
): Promise<ToggleResult> {
  const begun = transact(context, () => begin(context, request));
  if ("refused" in begun) return begun.refused;
  const replied = waitFor(context, begun.seq, since + ANSWER_WITHIN_MS - context.now());
  context.startRunners();
  return toResult(context, request, await replied);
}

function begin(context: EngineContext, { device_id, action, actor }: ToggleRequest): Begun {
  const device = plan.device(context.sql, device_id);
  if (!device)
    return { refused: failure(action, "unknown", "The device is not known to the scheduler yet. Try again.") };
  const now = context.now();
  const settings = settingsOf(context.sql);
  let before = memoryOf(context.sql, device_id);
  if (action === "on") {
    const view = viewOf(context.sql, device);
    before = makeUpLooks(context, view, before); // an ON that a gap has ended is nothing to go back to
    const forbidden = view.isServed ? null : refusedNow(context, device_id);
    if (forbidden !== null) {
      recordRefused(context, device_id, actor.email, forbidden);
      return { refused: failure(action, before.reported, forbidden) };
    }
    const claims = claimsAt(view.schedules, now);
    const allowed = toggleOn({ now, claims, instants: before, limits: view.limits });
    if ("refused" in allowed) {
      const detail = refusalSentence(allowed.refused, settings.APP_TIMEZONE);
      recordRefused(context, device_id, actor.email, detail);
      return { refused: failure(action, before.reported, detail) };
    }
    saveMemory(context.sql, { ...before, ...allowed.instants, on_by: actor.email, test_until: null });
  } else {
    const instants = toggleOff({ now, instants: before });
    saveMemory(context.sql, { ...before, ...instants, off_by: actor.email, test_until: null });
  }
  const on_at_before = confirmedOnAt(context, device_id, before.on_at);
  const reason = pressedBy(actor.email);
  const command = startCommand(context, device_id, { action, source: "manual", reason, on_at_before });
  reconcileDevice(context, device_id);
  return { seq: command?.seq ?? 0 };
}

/** The `on_at` of a light that a person has already; an ON that nothing has taken yet lit none. */
function confirmedOnAt(context: EngineContext, device_id: string, on_at: number | null): number | null {
  const live = commandFor(context.sql, device_id);
  const isOpen = live?.source === "manual" && live.action === "on" && live.via === null;
  return isOpen ? live.on_at_before : on_at;
}

/** Scheduler event fail with attempts 0, device event failure; it never notifies. */
function recordRefused(context: EngineContext, device_id: string, email: string, detail: string): void {
  const names = namesOf(context, device_id, null);
  const id = `refused:${device_id}:${nextSeq(context)}`;
  recordEvent(context, id, {
    device_id,
    device_name: names.device_name,
    dept_id: names.dept_id,
    source: "manual",
    action: "on",
    result: "fail",
    attempts: 0,
    note: `${pressedBy(email)} · refused: ${detail}`,
    cause: "refused",
  });
  recordCall(
    context,
    id,
    { device_id, names, action: "on" },
    { ok: false, provider: null, http_status: null, snippet: detail },
  );
}

/** What the command or ask is answered with, or null after `within_ms`. */
export function waitFor(context: EngineContext, seq: number, within_ms: number): Promise<RequestResult | null> {
  return new Promise((resolve) => {
    const callOff = context.after(within_ms, () => settle(null));
    const settle = (replied: RequestResult | null) => {
      callOff();
      context.waiting.delete(seq);
      resolve(replied);
    };
    context.waiting.set(seq, settle);
  });
}

function toResult(
  context: EngineContext,
  { device_id, action }: ToggleRequest,
  replied: RequestResult | null,
): ToggleResult {
  const { reported } = memoryOf(context.sql, device_id);
  if (replied === null) return failure(action, reported, "No answer yet; still trying");
  if ("superseded" in replied) return failure(action, reported, `Not done: ${replied.superseded}`);
  if (!replied.ok) {
    const isTried = commandFor(context.sql, device_id) !== null;
    const detail = isTried ? `${replied.detail}; still trying` : replied.detail;
    return { ...failure(action, reported, detail), provider: replied.provider };
  }
  return { success: true, action, state: action, provider: replied.provider, detail: null };
}

function failure(action: SwitchAction, state: DeviceState, detail: string): ToggleResult {
  return { success: false, action, state, provider: null, detail };
}
