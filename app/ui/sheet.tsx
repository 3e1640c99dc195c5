import * as Radix from "radix-ui/dialog";
import { useRef, type ReactNode, type RefObject } from "react";
import { classes } from "#app/ui/classes";
import { keepForToast } from "#app/ui/modal";
import { useOpener } from "#app/ui/use-opener";

type Props = {
  /** The id of its heading. */
  labelledBy: string;
  isOpen: boolean;
  panel: RefObject<HTMLDivElement>;
  onClose: () => void;
  className: string;
  children: (close: () => void) => ReactNode;
};

/**
 * Lies over the page, below the toasts: what its buttons did, or could not do, is seen and heard. A native modal dialog
 * would cover them, and hide them from a screen reader.
 */
export function Sheet({ labelledBy, isOpen, panel, onClose, className, children }: Props) {
  const isClosing = useRef(false);
  const giveFocusBack = useOpener();
  function close() {
    isClosing.current = true;
    onClose();
  }
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-appear fixed inset-0 z-40 bg-[rgb(6_12_24/0.55)]" />
        <Radix.Content
          ref={panel}
          aria-labelledby={labelledBy}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            panel.current?.focus();
          }}
          // Where it steps aside for a form, the form has the focus.
          onCloseAutoFocus={(event) => (isClosing.current ? giveFocusBack(event) : event.preventDefault())}
          onInteractOutside={keepForToast}
          className={classes("animate-rise fixed z-50 outline-none", className)}
        >
          {children(close)}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
