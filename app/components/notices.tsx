import { useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { toast } from "sonner";
import { takeNotice } from "#app/session/flash";

/** Says what the page before has left to be said. */
export function Notices() {
  const { key } = useLocation();
  useEffect(() => {
    const notice = takeNotice();
    if (!notice) return;
    // sonner's list subscribes in an effect of its own, which may come after this one.
    setTimeout(() => toast[notice.kind](notice.text, { id: notice.text }));
  }, [key]);
  return null;
}
