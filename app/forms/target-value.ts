import type { Target } from "#domain/schedule/target";

/** The option for lights that are ticked one by one. */
export const SEVERAL = "several";

/** A target as the value of an option: a device is its bare id, as links name it. */
export function targetValue({ type, id }: Target): string {
  return type === "device" ? id : `${type}:${id}`;
}

/** The target of an option's value; an empty one is a device without an id, which the schemas refuse. */
export function targetOfValue(value: string): Target {
  const [, type, id = ""] = /^(group|area):(.*)$/s.exec(value) ?? [];
  if (type === "group" || type === "area") return { type, id };
  return { type: "device", id: value };
}
