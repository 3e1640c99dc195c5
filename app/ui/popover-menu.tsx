import { useId, type ReactNode } from "react";

/**
 * A small panel under a button at the right end of the top bar. A native popover closes on Escape and on a click
 * elsewhere, returns the focus and needs no script; a Radix menu would add 20 kB.
 */
export function PopoverMenu({ label, button, children }: { label: string; button: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        aria-label={label}
        {...{ popovertarget: id }}
        className="hover:bg-sunken flex h-11 items-center gap-2 rounded-md px-2 sm:h-9"
      >
        {button}
      </button>
      {/* A click on an item closes it; the keyboard fires a click, too. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        onClick={(event) => event.currentTarget.hidePopover()}
        id={id}
        {...{ popover: "auto" }}
        className="bg-surface border-line text-ink fixed inset-auto top-18 right-3 md:top-14 m-0 max-h-[calc(100dvh-5rem)] w-64 overflow-y-auto rounded-lg border p-1.5 shadow-xl"
      >
        {children}
      </div>
    </>
  );
}
