import { useAnswer } from "#app/components/use-answer";
import type { Device } from "#domain/records";
import type { DeviceState } from "#domain/words";

/** A press that shows at once and goes back by itself if the answer is no: the list is asked again either way. */
export function useToggle(device: Device) {
  const { fetcher, pending } = useAnswer({ key: `toggle ${device.id}` });
  const wanted = fetcher.formData?.get("action");
  const refused = fetcher.data?.ok === false && fetcher.state === "loading";
  const state: DeviceState = !refused && (wanted === "on" || wanted === "off") ? wanted : device.current_state;
  return { fetcher, state, pending };
}
