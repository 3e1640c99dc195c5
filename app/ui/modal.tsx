import { X } from "#app/ui/icons";
import * as Radix from "radix-ui/dialog";
import type { FocusEvent, ReactNode } from "react";
import { Button } from "#app/ui/button";
import { classes } from "#app/ui/classes";
import { useOpener } from "#app/ui/use-opener";

export type DialogProps = {
  title: string;
  description: string;
  onClose: () => void;
  children: ReactNode;
  isWide?: boolean;
};

/**
 * A sheet from below on a phone, with room above it for a toast. On a wide screen it keeps its top edge when it grows and
 * ends above the toasts, which must not cover its buttons. In a low window, and on a phone at twice its size, where title and
 * buttons would leave the fields no room, all of it is scrolled.
 */
export function Modal({ title, description, onClose, children, isWide }: DialogProps) {
  const giveFocusBack = useOpener();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-appear fixed inset-0 z-40 bg-[rgb(6_12_24/0.55)]" />
        <Radix.Content
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={giveFocusBack}
          onFocus={showFocused}
          onInteractOutside={keepForToast}
          className={classes(
            "bg-surface border-line animate-rise fixed inset-x-0 bottom-0 z-50 flex outline-none max-h-[calc(100dvh-9rem)] flex-col overflow-y-auto low:block low:max-h-[calc(100dvh-1rem)] tiny:block tiny:max-h-[calc(100dvh-1rem)] rounded-t-2xl border shadow-2xl sm:inset-x-auto sm:top-[6dvh] sm:low:top-2 sm:bottom-auto sm:left-1/2 sm:max-h-[84dvh] sm:w-[42rem] sm:max-w-[94vw] sm:-translate-x-1/2 sm:rounded-xl",
            isWide && "lg:w-[64rem]",
          )}
        >
          <header className="border-line flex items-start justify-between gap-4 border-b px-5 py-4">
            <div>
              <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
              <Radix.Description className="text-ink-soft mt-0.5 text-sm">{description}</Radix.Description>
            </div>
            <Radix.Close asChild>
              <Button
                variant="ghost"
                size="icon"
                aria-label="Close"
                icon={<X className="size-4" />}
                className="-mt-1 -mr-2"
              />
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Focuses the first field, but not on a phone, where the keyboard would cover the form before it is read. */
function focusFirstField(event: Event) {
  event.preventDefault();
  const dialog = event.currentTarget;
  if (!(dialog instanceof HTMLElement)) return;
  if (matchMedia("(hover: hover)").matches) dialog.querySelector<HTMLElement>(FIELDS)?.focus();
  // Where no field took it: the keys would go on behind the dialog.
  if (!dialog.contains(document.activeElement)) dialog.focus();
}

/**
 * Radix goes from the last control to the first one, and back, without scrolling to it: in a low window one would press what
 * one does not see.
 */
function showFocused({ target }: FocusEvent) {
  // Not what a pointer presses: it would move from under it.
  if (target.matches(":focus-visible")) target.scrollIntoView({ block: "nearest" });
}

/**
 * A toast is no way out of the dialog that it lies over. It does not take the press itself: it would keep it from a button
 * below it.
 */
export function keepForToast(event: CustomEvent<{ originalEvent: Event }>) {
  const { originalEvent: press } = event.detail;
  const isPressed = (toast: Element) => press instanceof PointerEvent && isWithin(toast.getBoundingClientRect(), press);
  if ([...document.querySelectorAll("[data-sonner-toast]")].some(isPressed)) event.preventDefault();
}

function isWithin({ left, right, top, bottom }: DOMRect, { clientX: x, clientY: y }: PointerEvent): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

/** A select whose choices are not there yet is disabled, and takes no focus. */
const FIELDS = ":is(input:not([type=hidden]), select, textarea):enabled";
