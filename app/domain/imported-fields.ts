import { areaInput } from "./area-schema";
import { deviceInput } from "./device-schema";
import { hubInput } from "./hub-schema";

/** The fields that an import writes: those of each form, except a hub's write-only credentials and its agent. */
export const IMPORTED_FIELDS = {
  area: areaInput.keyof().options,
  hub: hubInput({ loopback: false }).omit({ agent_id: true, local_client_id: true, local_client_secret: true }).keyof()
    .options,
  device: deviceInput.keyof().options,
};
