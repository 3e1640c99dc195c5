import { useMemo, type ComponentProps, type FocusEvent } from "react";
import { Toaster as Sonner, useSonner } from "sonner";

type Place = Pick<ComponentProps<typeof Sonner>, "position" | "offset" | "mobileOffset">;

/** Swiping (45 px, speed 0.11) and the width (356 px) are sonner's defaults. */
export function Toaster() {
  const { toasts } = useSonner();
  // Where there is room is looked up when a toast comes.
  const place = useMemo(() => (toasts.length === 0 ? AT_THE_BOTTOM : freePlace()), [toasts.length]);
  return (
    <div onBlur={closeWhenLeft}>
      <Sonner
        theme="system"
        {...place}
        duration={4000}
        visibleToasts={3}
        gap={14}
        hotkey={["altKey", "KeyT"]}
        containerAriaLabel="Notifications"
      />
    </div>
  );
}

/**
 * What the hotkey has opened sonner keeps open, with every toast that comes after it, until a pointer has been over it. So
 * where the keyboard leaves it, it is told that a pointer has left.
 */
function closeWhenLeft({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (currentTarget.contains(relatedTarget)) return;
  target.dispatchEvent(new MouseEvent("mouseout", { bubbles: true, relatedTarget: document.body }));
}

const AT_THE_BOTTOM: Place = { position: "bottom-right" };
/** Below the top bar and above a phone's dialogs, which rise from the bottom (ui/modal.tsx). */
const ABOVE_DIALOG: Place = { position: "top-right", mobileOffset: { top: 76 } };
const NARROW = "(max-width: 640px)";
const GAP_PX = 12;

/** Where a toast covers no field and no button: above whatever sticks to the bottom edge, or above a phone's dialog. */
function freePlace(): Place {
  const isDialogOpen = document.querySelector("[role=dialog], [role=alertdialog]") !== null;
  if (isDialogOpen) return matchMedia(NARROW).matches ? ABOVE_DIALOG : AT_THE_BOTTOM;
  const bars = [...document.querySelectorAll("[data-bar]")].map((bar) => bar.getBoundingClientRect());
  const top = Math.min(innerHeight, ...bars.filter(({ height }) => height > 0).map((bar) => bar.top));
  if (top >= innerHeight) return AT_THE_BOTTOM;
  const bottom = innerHeight - top + GAP_PX;
  return { position: "bottom-right", offset: { bottom }, mobileOffset: { bottom } };
}
