import { useState, type FormEvent } from "react";
import { useAnswer } from "#app/forms/use-answer";
import type { Device } from "#domain/records";
import type { DeviceState } from "#domain/enums";

/**
 * A press that shows at once and goes back by itself if the answer is no: the list is asked again either way. The fetcher
 * tells of a press only after all that reads the router's state was rendered, which a phone takes half a second for.
 */
export function useToggle(device: Device) {
  const { fetcher, pending } = useAnswer({ key: `toggle ${device.id}` });
  const [requested, setRequested] = useState<string | null>(null);
  if (pending && requested !== null) setRequested(null);
  const wanted = requested ?? fetcher.formData?.get("action");
  const refused = fetcher.data?.ok === false && fetcher.state === "loading";
  const state: DeviceState = !refused && (wanted === "on" || wanted === "off") ? wanted : device.current_state;

  return { Form: fetcher.Form, setRequested, state, pending: pending || requested !== null };
}

/** The value of the button that submitted the form. */
export function submittedAction({ nativeEvent }: FormEvent): string | null {
  if (!(nativeEvent instanceof SubmitEvent)) return null;
  return nativeEvent.submitter instanceof HTMLButtonElement ? nativeEvent.submitter.value : null;
}
