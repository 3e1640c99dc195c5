import { routerOf } from "#app/router/router-of";
import { useBeforeUnload, useBlocker, useNavigate, type Location } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { losesChanges } from "#app/forms/unsaved";
import { AlertDialog } from "#app/ui/alert-dialog";
import { Button } from "#app/ui/button";

/**
 * Asks before a link, the browser's back or the closing of a dialog takes away what was typed and not saved; the browser
 * asks before the page itself goes. One for all forms, since a router has one blocker. The default export is for onDemand().
 */
export default function LeaveQuestion() {
  const navigate = useNavigate();
  const lastCall = useLastCall();
  const [asked, ask] = useState<{ goOn: () => void } | null>(null);
  const isAnswered = useRef(false);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    if (isAnswered.current || !losesChanges(urlOf(currentLocation), urlOf(nextLocation))) {
      isAnswered.current = false;
      return false;
    }
    const again = lastCall.current;
    const entry = entryNow();
    // The browser is at the other entry by now; the router takes it back.
    const goOn = historyAction === "POP" ? () => navigate(entry - entryNow()) : again;
    ask({ goOn });
    return true;
  });
  // A reload of a list that ends meanwhile would take the question away, if it were the blocker's.
  useEffect(() => {
    if (blocker.state === "blocked") blocker.reset();
  }, [blocker]);
  useBeforeUnload(useCallback((event) => losesChanges() && event.preventDefault(), []));
  if (asked === null) return null;

  function goOn() {
    ask(null);
    isAnswered.current = true;
    asked?.goOn();
  }

  return (
    <AlertDialog
      title="Leave without saving?"
      description="What you changed here is not saved."
      keep="Keep editing"
      onKeep={() => ask(null)}
    >
      <Button variant="danger" onClick={goOn}>
        Leave
      </Button>
    </AlertDialog>
  );
}

/** Makes the router's last call again, a form with all that it sends. */
function useLastCall() {
  const last = useRef<() => void>(() => undefined);
  useEffect(() => {
    const router = routerOf();
    const { navigate } = router;
    router.navigate = new Proxy(navigate, {
      apply(_, self, call) {
        last.current = () => Reflect.apply(navigate, self, call);
        return Reflect.apply(navigate, self, call);
      },
    });
    return () => void (router.navigate = navigate);
  }, []);
  return last;
}

/** The place of the browser's entry in the history, as the router numbers them. */
function entryNow(): number {
  return Number(window.history.state?.idx ?? 0);
}

function urlOf({ pathname, search }: Location): URL {
  return new URL(pathname + search, window.location.origin);
}
