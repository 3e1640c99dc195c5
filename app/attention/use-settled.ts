import { useEffect, useRef, useState, type FocusEvent, type PointerEvent } from "react";
import type { AttentionItem } from "#domain/alarms/attention";

/** The click of a finger comes after the finger has left. */
const CLICK_MS = 300;

/**
 * The items as a list in which nothing moves under a pointer or the keyboard's focus: meanwhile what is well again stays
 * in its place, and what is new waits to be asked for.
 */
export function useSettled(items: AttentionItem[]) {
  const [isHeld, setHeld] = useState(false);
  const [kept, setKept] = useState(items);
  if (!isHeld && kept !== items) setKept(items);

  const list = useRef<HTMLUListElement>(null);
  const isTouched = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>();
  // A button that goes, or is disabled, loses the focus without an event.
  useEffect(() => {
    const { current } = list;
    if (isTouched.current) return;
    if (!current?.contains(document.activeElement) && !current?.matches(":hover")) setHeld(false);
  }, [items]);

  function leave() {
    isTouched.current = false;
    setHeld(false);
  }

  const now = new Map(items.map((item) => [item.id, item]));
  const rows = kept.map((item) => ({ item: now.get(item.id) ?? item, isOver: !now.has(item.id) }));
  return {
    rows,
    /** How many wait. */
    fresh: items.length - rows.filter(({ isOver }) => !isOver).length,
    show: () => setKept(items),
    hold: {
      ref: list,
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        clearTimeout(leaving.current);
        isTouched.current = pointerType === "touch";
        setHeld(true);
      },
      onPointerLeave: () => {
        leaving.current = setTimeout(leave, isTouched.current ? CLICK_MS : 0);
      },
      // A press gives the focus, too, between the button's going down and its click: a pointer holds the list already.
      onFocus: ({ target }: FocusEvent) => target.matches(":focus-visible") && setHeld(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setHeld(false);
      },
    },
  };
}
