import { Search } from "#app/ui/icons";
import { useEffect, useState } from "react";
import { useNoScript } from "#app/ui/no-script";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep it out of every first load. */
const Palette = dialogOnDemand(() => import("./palette"));

/**
 * Opens the search by a button, and by '/' or Ctrl+K unless somebody is typing. What is typed while its code is on its way
 * stands in it when it comes: keys would be lost, and Enter would press what has the focus.
 */
export function QuickSearch() {
  const [open, setOpen] = useState(false);
  const [early, setEarly] = useState("");
  const noScript = useNoScript();

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (document.querySelector(MODAL)) return;
      const isAwaited = open && !isTyping(event) && !isShortcut(event) && isTyped(event);
      if (!isAsked(event) && !isAwaited) return;
      event.preventDefault();
      if (isAwaited) setEarly((text) => textAfter(text, event.key));
      else setOpen(true);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [open]);

  function close() {
    setOpen(false);
    setEarly("");
  }

  if (noScript) return null;
  return (
    <>
      <button
        type="button"
        aria-label="Search"
        aria-keyshortcuts="/ Control+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="border-line text-ink-soft hover:bg-sunken flex h-11 shrink-0 items-center gap-2 rounded-md border px-3 max-xl:border-transparent max-xl:px-2.5 sm:h-9"
      >
        <Search aria-hidden className="size-4.5 xl:size-4" />
        <span className="hidden xl:inline">Search</span>
        <kbd className="border-line text-ink-faint ml-3 hidden rounded-sm border px-1.5 font-sans text-xs xl:inline">
          /
        </kbd>
      </button>
      {open && <Palette early={early} onClose={close} />}
    </>
  );
}

/** A panel that stands beside a chart is none. */
const MODAL = "dialog:modal, [role=dialog], [role=alertdialog]";

function isAsked(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey) return true;
  return key === "/" && !isShortcut(event) && !isTyping(event);
}

function isTyping({ target }: KeyboardEvent) {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function isShortcut({ ctrlKey, metaKey, altKey }: KeyboardEvent) {
  return ctrlKey || metaKey || altKey;
}

function isTyped({ key }: KeyboardEvent) {
  return key.length === 1 || key === "Backspace" || key === "Enter";
}

function textAfter(text: string, key: string) {
  if (key === "Backspace") return text.slice(0, -1);
  return key === "Enter" ? text : text + key;
}
