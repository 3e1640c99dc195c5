import { lazy, Suspense, useEffect, useState } from "react";
import { lastActiveAt, setEnded } from "#app/session/activity";

const WARN_MS = 2 * 60_000;
const LOOK_EVERY_MS = 5_000;
/** Who types for a long time asks for nothing: the server is told now and then. */
const TELL_EVERY_MS = 4 * 60_000;

/** Fetched when it is needed, which is hardly ever. */
const IdleDialog = lazy(() => import("./idle-dialog").then((module) => ({ default: module.IdleDialog })));

/** Warns two minutes before the session times out. When it has, the page stays: what was typed is not lost. */
export function IdleWatch({ idle_min }: { idle_min: number }) {
  const state = useIdleState(idle_min * 60_000);
  if (state === "active") return null;
  return (
    <Suspense>
      <IdleDialog ended={state === "ended"} />
    </Suspense>
  );
}

function useIdleState(limit_ms: number): "active" | "warned" | "ended" {
  const [state, setState] = useState<"active" | "warned" | "ended">("active");
  useEffect(() => {
    let told = Date.now();
    let over = false;
    function look() {
      if (over) return;
      const last = lastActiveAt();
      const idle = Date.now() - last;
      if (idle >= limit_ms) {
        over = true;
        setEnded(true);
        void endSession();
        setState("ended");
        return;
      }
      setState(idle >= limit_ms - WARN_MS ? "warned" : "active");
      if (last > told && Date.now() - told > TELL_EVERY_MS) {
        told = Date.now();
        void tellServer();
      }
    }
    /** Somebody has signed in again, in another tab. */
    function resume({ key, newValue }: StorageEvent) {
      if (key !== "token" || newValue === null || !over) return;
      over = false;
      setEnded(false);
      setState("active");
    }
    const timer = setInterval(look, LOOK_EVERY_MS);
    addEventListener("storage", resume);
    return () => {
      clearInterval(timer);
      removeEventListener("storage", resume);
    };
  }, [limit_ms]);
  return state;
}

function bearer() {
  return { Authorization: `Bearer ${localStorage.getItem("token")}` };
}

/** The server would wait some minutes longer, since it notes activity every five only. */
function endSession() {
  return fetch("/api/auth/logout", { method: "POST", headers: bearer() }).catch(() => undefined);
}

function tellServer() {
  return fetch("/api/auth/sessions", { headers: bearer() }).catch(() => undefined);
}
