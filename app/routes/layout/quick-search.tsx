import { Search } from "#app/ui/icons";
import { useEffect, useState } from "react";
import { useNoScript } from "#app/ui/no-script";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep it out of every first load. */
const Palette = dialogOnDemand(() => import("./palette"));

/** Opens the search by a button, and by '/' or Ctrl+K unless somebody is typing. */
export function QuickSearch() {
  const [open, setOpen] = useState(false);
  const noScript = useNoScript();

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!isAsked(event) || document.querySelector(MODAL)) return;
      event.preventDefault();
      setOpen(true);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

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
      {open && <Palette onClose={() => setOpen(false)} />}
    </>
  );
}

/** A panel that stands beside a chart is none. */
const MODAL = "dialog:modal, [role=dialog], [role=alertdialog]";

function isAsked({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) {
  if (key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey) return true;
  const isTyping = target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
  return key === "/" && !ctrlKey && !metaKey && !altKey && !isTyping;
}
