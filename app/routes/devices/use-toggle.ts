import { useRef, useState, type FormEvent } from "react";
import { useOrganization } from "#app/components/organization";
import { useAnswer } from "#app/forms/use-answer";
import type { Device } from "#domain/records/records";
import { SWITCH_ACTIONS, type SwitchAction, type ToggleAction } from "#domain/enums";

type Toggled = Pick<Device, "id" | "current_state" | "last_state_at">;

/**
 * A toggle of one device. The shown state changes with the answer, not with the click; an answered toggle counts until
 * the reloaded list arrives. The click is stored here, because the fetcher reports it only after everything that reads
 * the router's state has rendered, half a second on a phone.
 */
export function useToggle(device: Toggled) {
  const { fetcher, pending } = useAnswer({ key: `toggle ${device.id}` });
  const { user } = useOrganization();
  const [requested, setRequested] = useState<{ action: SwitchAction; known: unknown } | null>(null);
  const last = useRef<SwitchAction | null>(null);
  const submitted = switchActionOf(fetcher.formData?.get("action")) ?? requested?.action ?? null;
  if (submitted !== null) last.current = submitted;
  // The second of two that fail at once, on a busy phone, is never rendered as pending: it is over with its answer, too.
  if (requested !== null && (pending || fetcher.data !== requested.known)) setRequested(null);

  const answered = useAnswered(device, fetcher.data, last.current);
  const isAsking = requested !== null || fetcher.state === "submitting";
  function request(action: SwitchAction | null) {
    // What the way back to the schedule comes to is not known before the list is: it is no ON that was asked for before.
    last.current = action;
    setRequested(action && { action, known: fetcher.data });
  }
  return {
    Form: fetcher.Form,
    request,
    /** Sends the toggle from outside a form. */
    send: (action: ToggleAction) => {
      request(switchActionOf(action));
      fetcher.submit({ intent: "toggle", org_id: user.current_org_id, id: device.id, action }, { method: "post" });
    },
    switching: isAsking ? submitted : null,
    pending: pending || requested !== null,
    state: answered?.state ?? device.current_state,
    last_state_at: answered?.at ?? device.last_state_at,
  };
}

type Answered = { ok: boolean; at?: string };
type Shown = { state: SwitchAction; at: string } | null;

/** The state in the last successful answer, until a newer device record is on screen. A press that fails changes nothing. */
function useAnswered(device: Toggled, answer: Answered | undefined, action: SwitchAction | null): Shown {
  // An answer from before the card is older than the list with the card.
  const last = useRef<{ answer: Answered | undefined; device: Toggled; shown: Shown }>({ answer, device, shown: null });
  if (device !== last.current.device) last.current = { ...last.current, device, shown: null };
  if (answer !== last.current.answer) {
    // What was asked for then is kept: the next press asks for something else before it is answered.
    const answered = action && answer?.at ? { state: action, at: answer.at } : null;
    last.current = { answer, device, shown: answer?.ok ? answered : last.current.shown };
  }
  return last.current.shown;
}

/** The value of the button that submitted the form. */
export function submittedAction({ nativeEvent }: FormEvent): SwitchAction | null {
  if (!(nativeEvent instanceof SubmitEvent)) return null;
  return nativeEvent.submitter instanceof HTMLButtonElement ? switchActionOf(nativeEvent.submitter.value) : null;
}

function switchActionOf(value: unknown): SwitchAction | null {
  return SWITCH_ACTIONS.find((action) => action === value) ?? null;
}
