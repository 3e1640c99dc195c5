import { useEffect, useRef, useState, type FocusEvent } from "react";
import type { AttentionItem } from "#domain/alarms/attention";

/**
 * The items as a list in which nothing moves under a pointer or the keyboard's focus: meanwhile what is well again stays
 * in its place, and what is new waits to be asked for.
 */
export function useSettled(items: AttentionItem[]) {
  const [isHeld, setHeld] = useState(false);
  const [kept, setKept] = useState(items);
  if (!isHeld && kept !== items) setKept(items);

  const list = useRef<HTMLUListElement>(null);
  // A button that goes, or is disabled, loses the focus without an event.
  useEffect(() => {
    const { current } = list;
    if (!current?.contains(document.activeElement) && !current?.matches(":hover")) setHeld(false);
  }, [items]);

  const now = new Map(items.map((item) => [item.id, item]));
  const rows = kept.map((item) => ({ item: now.get(item.id) ?? item, isOver: !now.has(item.id) }));
  return {
    rows,
    /** How many wait. */
    fresh: items.length - rows.filter(({ isOver }) => !isOver).length,
    show: () => setKept(items),
    hold: {
      ref: list,
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
      onFocus: ({ target }: FocusEvent) => setHeld(target.matches(":focus-visible")),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setHeld(false);
      },
    },
  };
}
