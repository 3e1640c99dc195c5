import { useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { toast } from "sonner";
import { takeFlashInBrowser } from "#app/session/flash";

/** Says what the page before has left to be said. */
export function FlashToasts() {
  const { key } = useLocation();
  useEffect(() => {
    const notice = takeFlashInBrowser();
    if (!notice) return;
    // sonner's list subscribes in an effect of its own, which may come after this one.
    setTimeout(() => toast[notice.kind](notice.text, { id: notice.text }));
  }, [key]);
  return null;
}
