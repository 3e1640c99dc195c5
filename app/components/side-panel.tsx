import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useDialog } from "#app/router/view";

type Props = {
  /** The id of its heading. */
  titled: string;
  /** What it tells of; another one takes the focus again. */
  of: unknown;
  onClose: () => void;
  children: ReactNode;
};

/** Wide enough for the panel to stand beside the chart; else it lies over it. */
const BESIDE = "(min-width: 80rem)";

/** Tells more of what was chosen in a chart: beside it, or on a narrow screen a sheet over it, which steps aside while a form is open. */
export function SidePanel({ titled, of, onClose, children }: Props) {
  const panel = useRef<HTMLDialogElement>(null);
  const { dialog } = useDialog();

  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    if (matchMedia(BESIDE).matches) {
      if (!element.open) element.show();
    } else if (dialog === null) {
      if (!element.open) element.showModal();
    } else element.close();
  }, [dialog]);
  useEffect(() => panel.current?.focus(), [of]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onClose();
  }

  return (
    // Escape closes it without a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={panel}
      tabIndex={-1}
      aria-labelledby={titled}
      onKeyDown={onKeyDown}
      onCancel={(event) => (event.preventDefault(), onClose())}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="card bg-surface text-ink max-xl:animate-rise outline-none backdrop:bg-[rgb(6_12_24/0.55)] max-xl:fixed max-xl:top-20 max-xl:right-4 max-xl:bottom-auto max-xl:left-auto max-xl:w-88 max-xl:shadow-2xl max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-0 max-sm:w-full max-sm:max-w-full max-sm:rounded-b-none xl:static xl:w-full"
    >
      <div className="flex flex-col gap-3 p-4">{children}</div>
    </dialog>
  );
}
