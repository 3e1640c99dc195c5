import { useEffect, useState } from "react";

/**
 * A sentence that the server answers as JSON: undefined until it arrives, null if it cannot be had. A plain request: one of
 * Remix's would first load its route's code, and reload the whole page where that fails.
 */
export function useAsked(path: string | null): string | null | undefined {
  const [answer, setAnswer] = useState<{ path: string; sentence: string | null } | null>(null);
  useEffect(() => {
    if (path === null) return;
    const leaving = new AbortController();
    void ask(path, leaving.signal).then((sentence) => {
      if (!leaving.signal.aborted) setAnswer({ path, sentence });
    });
    return () => leaving.abort();
  }, [path]);
  return answer?.path === path ? answer.sentence : undefined;
}

async function ask(path: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await fetch(path, { signal });
    const json: unknown = await answer.json();
    return answer.ok && typeof json === "string" ? json : null;
  } catch {
    return null;
  }
}
