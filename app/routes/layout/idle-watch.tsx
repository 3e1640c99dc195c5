import { Form } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { useOrganization } from "#app/components/organization";
import { forgetChanges, isSending, losesChanges, noneIsSaved } from "#app/forms/unsaved";
import { isPageNeeded } from "#app/router/needed-page";
import { useIsBusy } from "#app/router/use-is-busy";
import { hasTimedOut, idleMs, noteActivity, setEnded, setIdleLimit } from "#app/session/activity";
import { loginOf } from "#app/session/login-header";
import type { User } from "#domain/records/records";
import { onEndedElsewhere } from "./ended-elsewhere";
import { SignInAgain, type EndReason } from "./sign-in-again";
import { StillThere } from "./still-there";
import { clearStoredLogin, send, sessionEnd, storedLogin } from "#app/session/stored-login";
import { serverAhead } from "#app/router/server-ahead";

const WARN_MS = 2 * 60_000;
const CHECK_EVERY_MS = 5_000;
/** Earlier than the server, which then leads to the sign-in page; a hidden tab's timers ring once a minute only. */
const END_EARLIER_MS = 90_000;
/** Reports activity now and then while somebody types without causing requests. */
const TELL_EVERY_MS = 4 * 60_000;

/**
 * Where forms are posted that stand on no page at first. Remix looks for the route of each form that it finds on a page;
 * where it had to when one is sent, it would put an error page in place of the screen without a network, and load the page
 * anew after a release: what is typed would be lost.
 */
const POSTED_LATER = ["/sign-in-again", "/change-password"];

/** What the page before this one left for the tab to say. */
const CUT = "cut";
const CUT_WORDS = "You have switched organization in another tab, which ended what was under way in this one";
const UNSAVED = "unsaved";
const UNSAVED_WORDS = "You have switched organization in another tab, so what was typed in this one is not saved";

/**
 * Warns two minutes before the session times out. After that, where it has lasted as long as a session may, and where it was
 * ended elsewhere under a half-filled form, the page stays under a dialog to sign in again, so that no input is lost. A page
 * whose login another tab has replaced is loaded again; for another department of the same person once nothing is lost by
 * that. The default export is for onDemand().
 */
export default function IdleWatch({ idle_min }: { idle_min: number }) {
  const { user, loaded_at } = useOrganization();
  const [state, setState] = useState<"active" | "warned" | EndReason>("active");
  const server_ahead_ms = useRef(serverAhead(loaded_at));
  const told_at = useRef(Date.now());
  const isBusy = useRef(false);
  isBusy.current = useIsBusy();
  const login = loginOf(user);

  useEffect(() => {
    const left = sessionStorage.getItem(CUT);
    sessionStorage.removeItem(CUT);
    if (left === UNSAVED) toast.error(UNSAVED_WORDS);
    else if (left !== null) toast.error(CUT_WORDS, { description: "Part of it may be done." });
  }, []);

  useEffect(() => {
    const limit_ms = idle_min * 60_000;
    setIdleLimit(limit_ms);
    function check() {
      const stored = storedLogin();
      // Another tab's sign-in or switch took the cookie: this page's next lists and forms would be that person's, or of that
      // organization, under the name of this one.
      const isAnother = stored !== null && loginOf(stored) !== login;
      if (stored !== null && (isAnother || isElsewhere(stored))) return leave(stored.id === user.id);
      if (state !== "active" && state !== "warned") return stored === null ? undefined : resume();
      if (hasTimedOut()) return end("idle");
      if (Date.now() + server_ahead_ms.current >= sessionEnd() - END_EARLIER_MS) return end("over");
      const idle_ms = idleMs();
      setState(idle_ms >= limit_ms - WARN_MS ? "warned" : "active");
      if (Date.now() - told_at.current > Math.max(TELL_EVERY_MS, idle_ms)) tellServer();
    }
    /**
     * The next lists would be those of another department, under the name of this one. A form can wait, and says so where the
     * other department hides its record; so can what the page alone has.
     */
    function isElsewhere({ current_dept_id }: Pick<User, "current_dept_id">) {
      const mayGo = !isBusy.current && !isSending() && !losesChanges() && !isPageNeeded();
      return current_dept_id !== user.current_dept_id && mayGo;
    }
    /**
     * Without the browser's question: what was typed here must not be saved as somebody else's. What is under way would go
     * on with the lists of another organization around it, so it ends; the next page says so.
     */
    function leave(isSamePerson: boolean) {
      if (isSamePerson && isPageNeeded()) sessionStorage.setItem(CUT, "");
      else if (isSamePerson && losesChanges()) sessionStorage.setItem(CUT, UNSAVED);
      forgetChanges();
      location.reload();
    }
    function keepForm() {
      noneIsSaved();
      if (hasTimedOut()) return true;
      if (!losesChanges()) return false;
      end("elsewhere");
      return true;
    }
    const timer = setInterval(check, CHECK_EVERY_MS);
    const endWatch = onEndedElsewhere({ login, keepScreen: keepForm, leave });
    addEventListener("storage", check);
    return () => {
      clearInterval(timer);
      endWatch();
      removeEventListener("storage", check);
    };
  }, [state, idle_min, login, user.id, user.current_dept_id]);

  function tellServer() {
    told_at.current = Date.now();
    void send("GET", "/api/auth/sessions");
  }

  function stay() {
    noteActivity();
    tellServer();
    setState("active");
  }

  function end(reason: EndReason) {
    setEnded(true);
    // The server would wait some minutes longer, since it stores activity only every five.
    void send("POST", "/api/auth/logout");
    clearStoredLogin();
    setState(reason);
  }

  function resume() {
    setEnded(false);
    setState("active");
  }

  if (state === "active")
    return POSTED_LATER.map((action) => <Form key={action} method="post" action={action} hidden />);
  return state === "warned" ? <StillThere onStay={stay} /> : <SignInAgain reason={state} onDone={resume} />;
}
