import { useId, type ReactNode } from "react";

/**
 * A small panel under a button at the right end of the top bar. The platform's own popover closes it on Escape and on a
 * press elsewhere, gives the focus back, and costs no script; a Radix menu brings 20 kB of positioning along.
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
      {/* What is chosen in it closes it; the keyboard chooses by click, too. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        onClick={(event) => event.currentTarget.hidePopover()}
        id={id}
        {...{ popover: "auto" }}
        className="bg-surface border-line text-ink fixed inset-auto top-18 right-3 md:top-14 m-0 w-64 rounded-lg border p-1.5 shadow-xl"
      >
        {children}
      </div>
    </>
  );
}
