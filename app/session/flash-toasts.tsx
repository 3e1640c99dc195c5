import { useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { toast } from "sonner";
import { takeFlashInBrowser } from "#app/session/flash";

/** Shows the previous page's flash messages. */
export function FlashToasts() {
  const { key } = useLocation();
  useEffect(() => {
    const notice = takeFlashInBrowser();
    if (!notice) return;
    // sonner subscribes in an effect of its own, which may run after this one.
    setTimeout(() => toast[notice.kind](notice.text, { id: notice.text }));
  }, [key]);
  return null;
}
