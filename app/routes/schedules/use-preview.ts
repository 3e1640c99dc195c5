import { useEffect, useRef, useState, type RefObject } from "react";
import type { SchedulePreview } from "#domain/forecast/preview-schema";

/** `problem` is what is still wrong with the form; both are null if the engine cannot be reached. */
export type PreviewAnswer = { preview: SchedulePreview | null; problem: string | null };

/** Typing that goes on for this long is not looked up key by key. */
const PAUSE_MS = 120;
/** An answer that is not there by then is shown as old. */
const OLD_MS = 300;

/**
 * What the form around the element would come to, asked again after each change of its fields or of `key`. `isOld` while
 * the answer shown is of earlier input.
 */
export function usePreview(element: RefObject<HTMLElement>, key: string) {
  const [answer, setAnswer] = useState<PreviewAnswer | null>(null);
  const [isOld, setOld] = useState(false);
  const ask = useRef<() => void>(() => undefined);

  useEffect(() => {
    const form = element.current?.closest("form");
    if (!form) return undefined;
    let leaving = new AbortController();
    let [pause, old]: ReturnType<typeof setTimeout>[] = [];

    async function load() {
      leaving.abort();
      leaving = new AbortController();
      const { signal } = leaving;
      const next = await asked(new FormData(form ?? undefined), signal);
      if (signal.aborted) return;
      clearTimeout(old);
      if (next) setAnswer(next);
      setOld(false);
    }

    ask.current = () => {
      clearTimeout(pause);
      clearTimeout(old);
      pause = setTimeout(() => void load(), PAUSE_MS);
      old = setTimeout(() => setOld(true), OLD_MS);
    };
    const onInput = () => ask.current();
    form.addEventListener("input", onInput);
    return () => {
      form.removeEventListener("input", onInput);
      leaving.abort();
      clearTimeout(pause);
      clearTimeout(old);
    };
  }, [element]);

  useEffect(() => ask.current(), [key]);

  return { answer, isOld };
}

/** Null where there is no answer; then the last one stays. */
async function asked(form: FormData, signal: AbortSignal): Promise<PreviewAnswer | null> {
  try {
    const response = await fetch("/schedules/preview", { method: "POST", body: form, signal });
    if (!response.ok) return null;
    const answer: PreviewAnswer = await response.json();
    return answer;
  } catch {
    return null;
  }
}
