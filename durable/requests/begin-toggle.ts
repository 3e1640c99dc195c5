import { byPerson } from "#domain/light/actor";
import { claimsAt } from "#domain/resolve/claims";
import { upToFlip } from "#domain/forecast/forecast";
import { formatClock } from "#domain/time/display";
import { darkAt, nextDark } from "#domain/guardrails/device-limits";
import type { SwitchAction, ToggleAction } from "#domain/enums";
import { owesOff } from "#domain/resolve/instants";
import { refusalSentence } from "#domain/resolve/reason-sentence";
import { heldUntil } from "#domain/light/toggle-sentence";
import {
  declareEmergency,
  holdOff,
  holdOn,
  toggleAuto,
  toggleOff,
  toggleOn,
  type Toggled,
} from "#domain/resolve/toggles";
import { coolsUntil } from "#durable/commands/cooling";
import { startCommand } from "#durable/commands/command";
import { commandFor, type Command } from "#durable/commands/command-table";
import { outlookOf, viewOf, type View } from "#durable/reconcile/evaluation";
import { makeUpEvaluations } from "#durable/reconcile/missed-evaluations";
import { reconcileDevice } from "#durable/reconcile/reconcile";
import { refusedNow } from "#durable/reconcile/refused-now";
import { noteMissed } from "#durable/reconcile/windows";
import { namesOf, recordCall, recordEvent } from "#durable/reporting/events";
import { readable } from "#durable/state/body";
import { nextSeq } from "#durable/state/meta";
import { attempt, type EngineContext } from "#durable/state/context";
import { memoryOf, saveMemory, type DeviceMemory } from "#durable/state/device-memory";
import { plan, settingsOf } from "#durable/state/plan";

/**
 * What a person asks of a light. `until` (ISO 8601) gives an ON or OFF an end; an `emergency` is an ON with an end and a
 * reason. The actor's e-mail address becomes part of the records.
 */
export type Toggle = {
  action: ToggleAction;
  until?: string;
  reason?: string;
  emergency?: boolean;
  actor: { id: string; email: string };
};

/** `sent`: the command to wait for; null where there is nothing to send. `detail`: what to say once it is done. */
export type Begun = { refused: string } | { sent: { seq: number; action: SwitchAction } | null; detail: string | null };

/**
 * Takes a person's toggle in: what is remembered changes, and its command is started. Refused is only an ON that something
 * keeps dark, or of a light that the plan does not know. Must run inside a transaction.
 */
export function beginToggle(context: EngineContext, device_id: string, wish: Toggle): Begun {
  const device = plan.device(context.sql, device_id);
  if (!device) return { refused: "The device is not known to the scheduler yet. Try again." };
  // An OFF must not fail with the plan or an evaluation: then it goes back to nothing.
  const isOff = wish.action === "off";
  const view = isOff ? readable(() => viewOf(context.sql, device)) : viewOf(context.sql, device);
  const known = memoryOf(context.sql, device_id);
  const before = isOff
    ? attempt(
        context,
        () => madeUp(context, view, known),
        () => known,
      )
    : madeUp(context, view, known);
  const taken = take(context, view, before, wish);
  if ("refused" in taken) {
    recordRefused(context, device_id, wish.actor.email, taken.refused);
    return taken;
  }
  // Back to the schedule undoes what a test has switched, as its end does; an ON or OFF has a command of its own.
  const test_until = wish.action === "auto" && known.test_until !== null ? context.now() : null;
  saveMemory(context.sql, { ...taken.memory, asked_at: context.now(), test_until });
  if (wish.action === "auto") return { sent: returnToSchedule(context, device_id), detail: null };
  const on_at_before = confirmedOnAt(context, device_id, before.on_at);
  const reason = noteOf(wish, settingsOf(context.sql).APP_TIMEZONE);
  const command = startCommand(context, device_id, { action: wish.action, source: "manual", reason, on_at_before });
  const resolved = reconcileDevice(context, device_id);
  const until = endOf(wish);
  const held = until === null ? null : { action: wish.action, until, reason: wish.reason ?? null };
  if (!held || !resolved || !view) return { sent: command, detail: null };
  // An OFF must not fail with what is to come.
  const end = isOff ? null : upToFlip(outlookOf(view, memoryOf(context.sql, device_id)), context.now());
  const detail = heldUntil(held, end?.last.resolved ?? resolved, view.limits, context.now(), end?.flip.at);
  return { sent: command, detail };
}

/**
 * The memory as all evaluations until now have left it, by what people had asked for until now: what a gap has ended is
 * nothing to go back to, and what an emergency kept going was not cut under it, though this toggle takes its place.
 */
function madeUp(context: EngineContext, view: View | null, known: DeviceMemory): DeviceMemory {
  if (view === null) return known;
  const { memory } = makeUpEvaluations(context, view, known);
  noteMissed(context, view, known.reconciled_at);
  return memory;
}

/** The memory after the toggle, or why it is refused. */
function take(
  context: EngineContext,
  view: View | null,
  before: DeviceMemory,
  wish: Toggle,
): { refused: string } | { memory: DeviceMemory } {
  const { action, emergency, actor } = wish;
  const now = context.now();
  const until = endOf(wish);
  if (action === "auto") return { memory: { ...before, ...toggleAuto(before) } };
  if (action === "off" && until === null) {
    return { memory: { ...before, ...owesOff(toggleOff({ now, instants: before }), now), off_by: actor.email } };
  }
  const hold = { hold_since: now, hold_reason: wish.reason ?? null, hold_by: actor.email };
  if (action === "off") {
    const held = owesOff(holdOff({ until: until ?? now, instants: before }), now);
    return { memory: { ...before, ...held, ...hold } };
  }
  if (!view?.isServed) return { refused: refusedNow(context, before.device_id) ?? "" };
  if (emergency && until !== null) {
    const declared = { emergency_since: now, emergency_reason: wish.reason ?? null, emergency_by: actor.email };
    return { memory: { ...before, ...declareEmergency({ until, instants: before }), ...declared } };
  }
  const { limits } = view;
  const toggled: Toggled =
    until === null
      ? toggleOn({ now, claims: claimsAt(view.schedules, now), instants: before, limits })
      : holdOn({ now, until, instants: before, limits });
  if ("refused" in toggled) return { refused: refusalSentence(toggled.refused, limits.guardrails.zone, now) };
  const darkens = darkensBeforeCool(context, view);
  if (darkens !== null && toggled.instants !== before) return { refused: darkens };
  if (toggled.instants === before) return { memory: before }; // an emergency lights it, and nothing else may
  return { memory: { ...before, ...toggled.instants, ...(until === null ? { on_by: actor.email } : hold) } };
}

/** Why a lamp that is cooling may not go on: something makes it dark before it can be lit. Null where nothing does. */
function darkensBeforeCool(context: EngineContext, { device, limits }: View): string | null {
  const cool_at = coolsUntil(context, device.id);
  const dark_at = nextDark(limits, context.now());
  if (cool_at === null || dark_at === null || dark_at > cool_at) return null;
  const dark = darkAt(limits, dark_at);
  const { zone } = limits.guardrails;
  const why = dark === null ? "" : `. ${refusalSentence(dark, zone, dark_at)}`;
  return `Lamp is cooling until ${formatClock(cool_at, zone)}${why}`;
}

function endOf({ until }: Toggle): number | null {
  return until === undefined ? null : Date.parse(until);
}

/** 'Pressed by manager@parks.example · until 9:30 PM: rain'. */
function noteOf(wish: Toggle, zone: string): string {
  const until = endOf(wish);
  const end = until === null ? null : `until ${formatClock(until, zone)}`;
  const why = [wish.emergency ? "emergency" : null, end, wish.reason].filter(Boolean).join(": ");
  return [byPerson(wish.actor.email), why].filter(Boolean).join(" · ");
}

/** The light follows its schedule again; answers the command that this takes, if any. */
function returnToSchedule(context: EngineContext, device_id: string): Command | null {
  const before = commandFor(context.sql, device_id)?.seq;
  reconcileDevice(context, device_id);
  const command = commandFor(context.sql, device_id);
  return command?.seq === before ? null : command;
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
    note: `${byPerson(email)} · refused: ${detail}`,
    cause: "refused",
  });
  recordCall(
    context,
    id,
    { device_id, names, action: "on" },
    { ok: false, provider: null, http_status: null, snippet: detail },
  );
}
