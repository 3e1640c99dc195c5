import { Search } from "#app/ui/icons";
import { useEffect, useState } from "react";
import { useOrganization } from "#app/components/organization";
import { useNoScript } from "#app/ui/no-script";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep it out of every first load. */
const Palette = dialogOnDemand(() => import("./palette"));

/**
 * Opens the search by a button, and by Ctrl+K or, unless it is turned off under Account, '/' where nobody is typing. What
 * is typed while its code is on its way stands in it when it comes: keys would be lost, and Enter would press what has the
 * focus.
 */
export function QuickSearch() {
  const [open, setOpen] = useState(false);
  const [early, setEarly] = useState("");
  const noScript = useNoScript();
  const { search_key } = useOrganization();

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (document.querySelector(MODAL)) return;
      const isAwaited = open && !isTyping(event) && !isShortcut(event) && isTyped(event);
      if (!isAsked(event, search_key) && !isAwaited) return;
      event.preventDefault();
      if (isAwaited) setEarly((text) => textAfter(text, event.key));
      else setOpen(true);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [open, search_key]);

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
        aria-keyshortcuts={search_key ? "/ Control+K" : "Control+K"}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="quick-search"
      >
        <Search />
        <span>Search</span>
        {search_key && <kbd>/</kbd>}
      </button>
      {open && <Palette early={early} onClose={close} />}
    </>
  );
}

/** A panel that stands beside a chart is none. */
const MODAL = "dialog:modal, [role=dialog], [role=alertdialog]";

function isAsked(event: KeyboardEvent, search_key: boolean) {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey) return true;
  return search_key && key === "/" && !isShortcut(event) && !isTyping(event);
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
