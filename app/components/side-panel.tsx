import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useDialog } from "#app/router/view";
import { Button } from "#app/ui/button";
import { X } from "#app/ui/icons";
import { Sheet } from "#app/ui/sheet";

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
export function SidePanel(props: Props) {
  const [isBeside] = useState(() => matchMedia(BESIDE).matches);
  return isBeside ? <Beside {...props} /> : <Over {...props} />;
}

function Beside(props: Props) {
  const { id, of, onClose } = props;
  const panel = useRef<HTMLDialogElement>(null);
  const told = useRef<unknown>(null);
  const isCovered = useDialog().dialog !== null;
  useEffect(() => {
    // Not from a form that is open over it, which would take it back and select all that is typed in the field.
    if (isCovered || told.current === of) return;
    told.current = of;
    panel.current?.focus();
  }, [of, isCovered]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onClose();
  }

  return (
    // Escape closes it without a pointer.
    <dialog
      ref={panel}
      open
      tabIndex={-1}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      className="card text-ink static w-full outline-none"
    >
      <Content {...props} />
    </dialog>
  );
}

function Over(props: Props) {
  const { id, of, onClose } = props;
  const panel = useRef<HTMLDivElement>(null);
  const { dialog } = useDialog();
  useEffect(() => panel.current?.focus(), [of]);
  return (
    <Sheet
      labelledBy={id}
      isOpen={dialog === null}
      panel={panel}
      onClose={onClose}
      className="card top-20 right-4 w-88 shadow-2xl max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-0 max-sm:w-full max-sm:rounded-b-none"
    >
      {(close) => <Content {...props} onClose={close} />}
    </Sheet>
  );
}

function Content({ id, title, place, onClose, children }: Props) {
  return (
    <div className="flex flex-col gap-3 p-4">
      <header className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          <p className="text-ink-soft">{place}</p>
        </div>
        <Button variant="ghost" size="icon" aria-label="Close" icon={<X />} onClick={onClose} className="-mt-1 -mr-2" />
      </header>
      {children}
    </div>
  );
}
