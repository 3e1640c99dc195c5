import { useEffect, useState } from "react";
import { hasTimedOut } from "#app/session/activity";

const AGAIN_MS = 3_000;

/**
 * What one of our paths answers as JSON: undefined until it arrives, null while it cannot be had; then it is asked again
 * every 3 s. By a plain request: one of Remix's first looks for its route, and when the back button breaks that off, an
 * error page replaces the whole screen.
 */
export function useJson<Answer>(path: string | null): Answer | null | undefined {
  const [last, setLast] = useState<{ path: string; answer: Answer | null } | null>(null);
  useEffect(() => {
    if (path === null) return;
    const leaving = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    async function ask(asked: string) {
      const answered = await answerOf<Answer>(asked, leaving.signal);
      if (leaving.signal.aborted) return;
      setLast({ path: asked, answer: answered?.answer ?? null });
      if (!answered) wait(asked);
    }
    function wait(asked: string) {
      again = setTimeout(() => (document.hidden || hasTimedOut() ? wait(asked) : void ask(asked)), AGAIN_MS);
    }
    void ask(path);
    return () => {
      leaving.abort();
      clearTimeout(again);
    };
  }, [path]);
  return last !== null && last.path === path ? last.answer : undefined;
}

/** The latest value that there was, for what stays on screen until the next one arrives. */
export function useLatest<Value>(value: Value | null | undefined): Value | null | undefined {
  const [last, setLast] = useState(value);
  const isNew = value !== null && value !== undefined && value !== last;
  if (isNew) setLast(value);
  return value ?? last ?? value;
}

/** Null without an answer. A redirect is none: the session is over, and the login page would answer with HTML. */
async function answerOf<Answer>(path: string, signal: AbortSignal): Promise<{ answer: Answer | null } | null> {
  try {
    const response = await fetch(path, { signal, redirect: "manual" });
    return response.ok ? { answer: await response.json<Answer | null>() } : null;
  } catch {
    return null;
  }
}
