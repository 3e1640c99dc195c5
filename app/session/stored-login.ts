import { useSubmit } from "@remix-run/react";
import { useEffect } from "react";
import { forgetChanges } from "#app/forms/unsaved";
import type { User } from "#domain/records/records";

/**
 * The browser's half of the session: each load copies the cookie's login to local storage and checks it by reading the user
 * with the token. If that fails, both are cleared.
 */
export function useStoredLogin(token: string, user: User) {
  const submit = useSubmit();

  useEffect(() => {
    localStorage.setItem("token", token);
    localStorage.setItem("user", JSON.stringify(user));
  }, [token, user]);

  useEffect(() => {
    // Leaving the page aborts its calls, which is not a failed sign-in.
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    window.addEventListener("pagehide", leave);
    void refreshUser(leaving.signal).then((known) => {
      // One that has timed out is over already, and perhaps signed in to again: its late answer would end the new one.
      if (known || leaving.signal.aborted || localStorage.getItem("token") !== token) return;
      clearStoredLogin();
      // Without a session nothing can be saved.
      forgetChanges();
      submit({ reason: "expired" }, { method: "post", action: "/sign-out" });
    });
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
    // Once per page load.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

/** Who is signed in in this browser, in any tab, and for which organization and department; null if nobody is. */
export function storedLogin(): Pick<User, "id" | "current_org_id" | "current_dept_id"> | null {
  const user: unknown = JSON.parse(localStorage.getItem("user") ?? "null");
  if (typeof user !== "object" || user === null || !("id" in user && "current_org_id" in user)) return null;
  const dept = "current_dept_id" in user ? user.current_dept_id : null;
  return {
    id: String(user.id),
    current_org_id: String(user.current_org_id),
    current_dept_id: dept === null ? null : String(dept),
  };
}

/** When the session ends, whatever its person does (epoch ms, by the server's clock); never if nobody is signed in. */
export function sessionEnd(): number {
  const [, payload = ""] = (localStorage.getItem("token") ?? "").split(".");
  if (payload === "") return Infinity;
  const { exp }: { exp: unknown } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
  return typeof exp === "number" ? exp * 1_000 : Infinity;
}

/**
 * An API call whose answer is ignored, cookies too: that of a sign-out which was long on its way would take the cookie of
 * the next sign-in.
 */
export async function send(method: "GET" | "POST", path: string): Promise<void> {
  const headers = { Authorization: `Bearer ${localStorage.getItem("token")}` };
  await fetch(path, { method, headers, credentials: "omit" }).catch(() => undefined);
}

/** Returns whether there was one. */
export function clearStoredLogin(): boolean {
  const stored = localStorage.getItem("token") !== null;
  localStorage.removeItem("token");
  localStorage.removeItem("user");
  return stored;
}

/** Retries after network and server errors, which are common on a phone beside a field and are no failed sign-in. */
const TRY_AGAIN_MS = [1_000, 3_000];

async function refreshUser(signal: AbortSignal, waits = TRY_AGAIN_MS): Promise<boolean> {
  const headers = { Authorization: `Bearer ${localStorage.getItem("token")}` };
  const answer = await fetch("/api/auth/me", { headers, signal }).catch(() => null);
  if (answer?.ok) localStorage.setItem("user", JSON.stringify(await answer.json()));
  const [wait, ...more] = waits;
  if (answer?.ok || answer?.status === 401 || wait === undefined || signal.aborted) return answer?.ok ?? false;
  await new Promise((done) => setTimeout(done, wait));
  return refreshUser(signal, more);
}
