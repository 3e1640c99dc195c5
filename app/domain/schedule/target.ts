/** What a schedule, a permit or a closure is for. */
export const TARGET_TYPES = ["device", "group", "area"] as const;
export type TargetType = (typeof TARGET_TYPES)[number];
export type Target = { type: TargetType; id: string };

/** A target as a row has it: exactly one of the three is not null. */
export type TargetColumns = { device_id: string | null; group_id: string | null; area_id: string | null };

/** Throws if the row names none, which the database forbids. */
export function targetOf({ device_id, group_id, area_id }: TargetColumns): Target {
  if (device_id !== null) return { type: "device", id: device_id };
  if (group_id !== null) return { type: "group", id: group_id };
  if (area_id !== null) return { type: "area", id: area_id };
  throw new Error("a target names a device, a group or an area");
}

/** The columns for a target. */
export function columnsOf({ type, id }: Target): TargetColumns {
  return {
    device_id: type === "device" ? id : null,
    group_id: type === "group" ? id : null,
    area_id: type === "area" ? id : null,
  };
}
