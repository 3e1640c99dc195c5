import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useDialog } from "#app/router/view";
import { Button } from "#app/ui/button";
import { X } from "#app/ui/icons";

type Props = {
  /** The id of its heading. */
  id: string;
  title: string;
  /** The line under the title. */
  place: ReactNode;
  /** What it tells of; another one takes the focus again. */
  of: unknown;
  onClose: () => void;
  children: ReactNode;
};

/** Wide enough for the panel to stand beside the chart; else it lies over it. */
const BESIDE = "(min-width: 80rem)";

/** Tells more of what was chosen in a chart: beside it, or on a narrow screen a sheet over it, which steps aside while a form is open. */
export function SidePanel({ id, title, place, of, onClose, children }: Props) {
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

  /** What is behind a modal sheet cannot take the focus back before the sheet is closed. */
  function close() {
    panel.current?.close();
    onClose();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    close();
  }

  return (
    // Escape closes it without a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={panel}
      tabIndex={-1}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      onCancel={(event) => (event.preventDefault(), close())}
      onClick={(event) => event.target === event.currentTarget && close()}
      className="card bg-surface text-ink max-xl:animate-rise outline-none backdrop:bg-[rgb(6_12_24/0.55)] max-xl:fixed max-xl:top-20 max-xl:right-4 max-xl:bottom-auto max-xl:left-auto max-xl:w-88 max-xl:shadow-2xl max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-0 max-sm:w-full max-sm:max-w-full max-sm:rounded-b-none xl:static xl:w-full"
    >
      <div className="flex flex-col gap-3 p-4">
        <header className="flex items-start justify-between gap-2">
          <div className="min-w-0">
            <h2 id={id} className="text-base font-semibold">
              {title}
            </h2>
            <p className="text-ink-soft">{place}</p>
          </div>
          <Button variant="ghost" size="icon" aria-label="Close" icon={<X />} onClick={close} className="-mt-1 -mr-2" />
        </header>
        {children}
      </div>
    </dialog>
  );
}
