import { useAnswer } from "#app/components/use-answer";
import { useOrganization } from "#app/components/organization";
import type { Device } from "#domain/records";
import type { DeviceState, SwitchAction } from "#domain/words";

/** A press that shows at once and goes back by itself if the answer is no: the list is asked again either way. */
export function useToggle(device: Device) {
  const { user } = useOrganization();
  const { fetcher, pending } = useAnswer({ key: `toggle ${device.id}` });
  const wanted = fetcher.formData?.get("action");
  const refused = fetcher.data?.ok === false && fetcher.state === "loading";
  const state: DeviceState = !refused && (wanted === "on" || wanted === "off") ? wanted : device.current_state;

  function toggle(action: SwitchAction) {
    const form = { intent: "toggle", id: device.id, action, org_id: user.current_org_id };
    fetcher.submit(form, { method: "post", action: "/devices" });
  }
  return { state, pending, toggle };
}
