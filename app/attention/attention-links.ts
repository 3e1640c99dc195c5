import { deviceHref, hubHref } from "#app/components/page-links";
import type { AttentionItem, AttentionKind } from "#domain/alarms/attention";

/** The alarms, the page of the light, the hub or the work order. */
export function hrefOf({ kind, id, name, area, order }: AttentionItem): string {
  if (kind === "connection") return "/alarms";
  if (kind === "hub") return hubHref(name, area?.id);
  return kind === "workorder" && order ? editHref(order) : deviceHref(id);
}

const IS: Record<AttentionKind, string> = {
  dark: "stays dark",
  lit: "stays on",
  unconfirmed: "cannot be confirmed",
  hub: "is away",
  connection: "",
  workorder: "",
};

/** The open work order, or the form for a new one with what is known filled in. */
export function orderHref({ kind, id, name, area, facts, order }: AttentionItem): string {
  if (order) return editHref(order);
  const known = {
    title: `${name} ${IS[kind]}`,
    description: `${facts}.`,
    ...(area && { area_id: area.id }),
    ...(kind !== "hub" && { device_id: id }),
  };
  return `/workorders?new=&${new URLSearchParams(known)}`;
}

function editHref({ id, title }: { id: string; title: string }): string {
  return `/workorders?${new URLSearchParams({ q: title, edit: id })}`;
}
