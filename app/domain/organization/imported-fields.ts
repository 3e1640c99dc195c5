import { areaInput } from "./area-schema";
import { deviceInput } from "#domain/light/device-schema";
import { hubInput } from "#domain/hubs/hub-schema";

/** The fields that an import writes: those of each form, except a hub's write-only credentials and its agent. */
export const IMPORTED_FIELDS = {
  area: areaInput.keyof().options,
  hub: hubInput({ loopback: false }).omit({ agent_id: true, local_client_id: true, local_client_secret: true }).keyof()
    .options,
  device: deviceInput.keyof().options,
};
