import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/**
 * Tells a screen reader which screen has come, as a browser tells the title of a page that it loads: of a link that changes
 * only the content one would hear nothing.
 */
export function ToldTitle() {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    setTitle(document.title.replace(" · Lamplighter", ""));
  }, [pathname]);
  return (
    <p role="status" aria-label="Screen" className="sr-only">
      {title}
    </p>
  );
}
