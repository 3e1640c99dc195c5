import { useEffect, useRef, type MouseEvent, type ReactNode } from "react";

type Props = { id: string; label: string; open: boolean; onClose: () => void; children: ReactNode };

/**
 * A drawer from the left edge, for a phone's menu. A native modal dialog: it traps the focus, closes on Escape and
 * returns the focus; Radix's would add 14 kB to every first load.
 */
export function Drawer({ id, label, open, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);

  /** A click on the dialog element itself is a click on its backdrop. */
  function closeOnBackdrop(event: MouseEvent<HTMLDialogElement>) {
    if (event.target === event.currentTarget) onClose();
  }

  return (
    // Escape closes it without a pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      id={id}
      aria-label={label}
      onClose={onClose}
      onClick={closeOnBackdrop}
      className="open:animate-slide-in fixed inset-y-0 left-0 m-0 h-dvh max-h-none w-72 max-w-[85vw] backdrop:bg-[rgb(6_12_24/0.55)]"
    >
      {children}
    </dialog>
  );
}
