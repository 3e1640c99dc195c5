import type { ToggleResult, ToggleRow } from "#domain/records/records";
import { commandFor } from "#durable/commands/command-table";
import { pumpNow } from "#durable/dispatch/pump";
import { stateShown } from "#durable/reconcile/heard";
import { attempt, transact, type EngineContext, type RequestResult } from "#durable/state/context";
import { beginToggle, type Begun, type Toggle } from "./begin-toggle";
import { waitFor } from "./wait";

/** The browser gives up at 10 s. */
const ANSWER_WITHIN_MS = 8_800;
const NOT_YET = "No answer yet; still trying";

/** Who wants what of which device. */
export type ToggleRequest = Toggle & { device_id: string };

/** Who wants what of many devices, in one go. */
export type ToggleManyRequest = Toggle & { device_ids: string[] };

/**
 * A person's ON or OFF, or the way back to the schedule. An ON that something keeps dark is refused and changes nothing;
 * anything else is sent, whatever the state is believed to be, and answered at the provider's answer, or 8.8 s after
 * `since`, when the person asked.
 */
export async function toggle(
  context: EngineContext,
  { device_id, ...wish }: ToggleRequest,
  since: number = context.now(),
): Promise<ToggleResult> {
  const begun = transact(context, () => beginAlone(context, device_id, wish));
  const replied = repliedTo(context, begun, since);
  pumpNow(context);
  return toResult(context, { device_id, ...wish }, begun, await replied);
}

/**
 * The same of many devices: all of them in one transaction, so that no other toggle comes between. Those that their hubs have not
 * answered for by 8.8 s are pending, and are tried on. One that fails holds up no other.
 */
export async function toggleMany(
  context: EngineContext,
  { device_ids, ...wish }: ToggleManyRequest,
  since: number = context.now(),
): Promise<ToggleRow[]> {
  const begun = transact(context, () =>
    device_ids.map((device_id) => ({ device_id, begun: beginAlone(context, device_id, wish) })),
  );
  const waits = begun.map(async ({ device_id, begun }) => {
    const replied = await repliedTo(context, begun, since);
    const { success, detail } = toResult(context, { device_id, ...wish }, begun, replied);
    const isTried = !success && !("refused" in begun) && commandFor(context.sql, device_id) !== null;
    const isOver = isSuperseded(replied) && !isTriedAnew(context, device_id, begun);
    return { device_id, success, pending: isTried && !isOver, detail };
  });
  context.startRunners();
  return Promise.all(waits);
}

function beginAlone(context: EngineContext, device_id: string, wish: Toggle): Begun {
  const failed = (error: unknown) => {
    context.log({ level: "error", event: "toggle.failed", device_id, reason: String(error) });
    return { refused: "Internal fault; try again" };
  };
  return attempt(context, () => beginToggle(context, device_id, wish), failed);
}

/** What the toggle's command is answered with; null where there is none to wait for, or no answer in time. */
async function repliedTo(context: EngineContext, begun: Begun, since: number): Promise<RequestResult | null> {
  if ("refused" in begun || begun.sent === null) return null;
  return waitFor(context, begun.sent.seq, since + ANSWER_WITHIN_MS - context.now());
}

function toResult(
  context: EngineContext,
  { device_id, action }: ToggleRequest,
  begun: Begun,
  replied: RequestResult | null,
): ToggleResult {
  const state = () => stateShown(context, device_id);
  const failure = (detail: string): ToggleResult => ({
    success: false,
    action,
    state: state(),
    provider: null,
    detail,
  });
  if ("refused" in begun) return failure(begun.refused);
  if (begun.sent === null) return { success: true, action, state: state(), provider: null, detail: begun.detail };
  if (replied === null) return failure(NOT_YET);
  if ("superseded" in replied) {
    return failure(isTriedAnew(context, device_id, begun) ? NOT_YET : `Not done: ${replied.superseded}`);
  }
  if ("postponed" in replied) return failure(replied.postponed);
  if (!replied.ok) {
    const isTried = commandFor(context.sql, device_id) !== null;
    return { ...failure(isTried ? `${replied.detail}; still trying` : replied.detail), provider: replied.provider };
  }
  return { success: true, action, state: begun.sent.action, provider: replied.provider, detail: begun.detail };
}

/** Whether the scheduler does the same by a command of its own: the light is reached another way since. */
function isTriedAnew({ sql }: EngineContext, device_id: string, begun: Begun): boolean {
  const live = commandFor(sql, device_id);
  const asked = "refused" in begun ? null : begun.sent;
  return live !== null && live.source !== "manual" && live.action === asked?.action;
}

function isSuperseded(replied: RequestResult | null): boolean {
  return replied !== null && "superseded" in replied;
}
