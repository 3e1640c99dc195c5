import type { DeviceDetail } from "#domain/records/detail-records";
import type { Group } from "#domain/records/records";
import type { LightTonight } from "#domain/tonight/tonight-records";

/**
 * The detail, the groups that the light is in, and when it was loaded (epoch ms); of tonight the log tells since `known_from`.
 */
export type Around = DeviceDetail & {
  tonight: (LightTonight & { known_from: number }) | null;
  groups: Group[];
  now: number;
};
