import { useEffect, useRef, useState, type FocusEvent, type PointerEvent } from "react";
import type { AttentionItem } from "#domain/alarms/attention";

/** The click of a finger comes after the finger has left. */
const CLICK_MS = 300;

/**
 * The items as a list in which nothing moves under a pointer or the keyboard's focus: meanwhile what is well again stays
 * in its place, what is new waits to be asked for, and no button comes to do another thing.
 */
export function useSettled(items: AttentionItem[]) {
  const [isUnderPointer, setUnderPointer] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [kept, setKept] = useState(items);
  if (!isUnderPointer && !isFocused && kept !== items) setKept(items);

  const list = useRef<HTMLUListElement>(null);
  const isTouched = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>();
  // A button that goes, or is disabled, loses the focus without an event.
  useEffect(() => {
    if (!list.current?.contains(document.activeElement)) setFocused(false);
    if (!isTouched.current && !list.current?.matches(":hover")) setUnderPointer(false);
  }, [items]);

  function leave() {
    isTouched.current = false;
    setUnderPointer(false);
  }

  // Where the button under it has just gone the browser tells React of no leaving, but of where the pointer is now.
  useEffect(() => {
    if (!isUnderPointer) return;
    const look = ({ target }: Event) => {
      if (!isTouched.current && !(target instanceof Node && list.current?.contains(target))) leave();
    };
    document.addEventListener("pointerover", look);
    return () => document.removeEventListener("pointerover", look);
  }, [isUnderPointer]);

  const now = new Map(items.map((item) => [item.id, item]));
  const rows = kept.map((before) => {
    const item = now.get(before.id);
    return { item: item ? withoutOtherAct(item, before) : before, isOver: !item };
  });
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
        setUnderPointer(true);
      },
      onPointerLeave: () => {
        leaving.current = setTimeout(leave, isTouched.current ? CLICK_MS : 0);
      },
      onFocus: ({ target }: FocusEvent) => setFocused(target.matches(":focus-visible")),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setFocused(false);
      },
    },
  };
}

/** Whoever is about to press 'Try again' would turn the light off: a button that means another thing now is not there. */
function withoutOtherAct(item: AttentionItem, before: AttentionItem): AttentionItem {
  return JSON.stringify(item.act) === JSON.stringify(before.act) ? item : { ...item, act: null };
}
