import { useEffect, useState } from "react";
import { serverAhead } from "#app/router/server-ahead";
import { MINUTE_MS } from "#domain/time/units";

/** The server's clock (epoch ms), as it was when the data was loaded and then minute by minute. */
export function useNow(loaded: number): number {
  const [now, setNow] = useState(loaded);
  useEffect(() => {
    const ahead = serverAhead(loaded);
    let timer: ReturnType<typeof setTimeout>;
    function step() {
      const at = Date.now() + ahead;
      setNow(at);
      timer = setTimeout(step, MINUTE_MS - (at % MINUTE_MS));
    }
    step();
    return () => clearTimeout(timer);
  }, [loaded]);
  return now;
}
