import { useActionData, useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { toast } from "sonner";
import type { FormAnswer } from "#app/forms/form-answer";

/**
 * A fetcher that shows its answer in a toast, once, and calls `onDone` after a success. Without script, the answer is
 * the page's own action data.
 */
export function useAnswer({ key, onDone }: { key?: string; onDone?: (answer: FormAnswer) => void } = {}) {
  const fetcher = useFetcher<FormAnswer>({ key });
  const page = useActionData<FormAnswer>();
  const told = useRef(fetcher.data);
  const closing = useRef(false);
  const done = useRef(onDone);
  done.current = onDone;

  useEffect(() => {
    const answer = fetcher.data;
    if (!answer || answer === told.current) return;
    told.current = answer;
    closing.current = answer.ok;
    toastAnswer(answer);
  }, [fetcher.data]);

  // Wait until the lists have reloaded: a navigation would abort the reload.
  useEffect(() => {
    if (fetcher.state !== "idle" || !closing.current || !fetcher.data) return;
    closing.current = false;
    done.current?.(fetcher.data);
  }, [fetcher.state, fetcher.data]);

  return { fetcher, pending: fetcher.state !== "idle", answer: fetcher.data ?? page };
}

/** Shows an answer in a toast. */
export function toastAnswer({ ok, toast: words, detail }: FormAnswer) {
  const more = detail ? { description: detail } : {};
  if (ok) toast.success(words, more);
  else toast.error(words, more);
}
