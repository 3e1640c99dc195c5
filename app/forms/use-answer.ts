import { useActionData, useFetcher, useSubmit, type SubmitFunction } from "@remix-run/react";
import { useCallback, useEffect, useId, useRef } from "react";
import { toast } from "sonner";
import type { FormAnswer } from "#app/forms/form-answer";
import { follow, onAnswer } from "#app/router/fetcher-answer";

/**
 * A fetcher that shows its answer in a toast, once, in place of the refusal before it, and calls `onDone` after a success.
 * It is shown also where the form or card has left the screen meanwhile: a refusal that nobody hears of passes for done.
 * Without script, the answer is the page's own action data.
 */
export function useAnswer({ key, onDone }: { key?: string; onDone?: (answer: FormAnswer) => void } = {}) {
  const own = useId();
  const name = key ?? own;
  const fetcher = useFetcher<FormAnswer>({ key: name });
  const page = useActionData<FormAnswer>();
  const seen = useRef(fetcher.data);
  const closing = useRef(false);
  const submit = useRef(useSubmit());
  const done = useRef(onDone);
  done.current = onDone;

  const tell = useCallback(
    (answer: FormAnswer) => {
      if (told.has(answer)) return;
      told.add(answer);
      const { undo } = answer;
      // What has been put right since is wrong no more, and covers what was saved.
      const refusal = refusals.get(name);
      if (refusal !== undefined) toast.dismiss(refusal);
      const shown = toastAnswer(answer, undo && (() => takeBack(submit.current, undo)));
      if (!answer.ok) refusals.set(name, shown);
    },
    [name],
  );

  useEffect(() => {
    const answer = fetcher.data;
    if (!answer || answer === seen.current) return;
    seen.current = answer;
    tell(answer);
    closing.current = answer.ok;
  }, [fetcher.data, tell]);

  useEffect(() => {
    const end = follow<FormAnswer>(name);
    return () => {
      const answer = end();
      if (answer) tell(answer);
      // What is under way is told when it comes, be it by the card of the light that is back in another list.
      onAnswer(name, answer ?? seen.current, tell);
    };
  }, [name, tell]);

  // Wait until the lists have reloaded: a navigation would abort the reload.
  useEffect(() => {
    if (fetcher.state !== "idle" || !closing.current || !fetcher.data) return;
    closing.current = false;
    done.current?.(fetcher.data);
  }, [fetcher.state, fetcher.data]);

  return { fetcher, pending: fetcher.state !== "idle", answer: fetcher.data ?? page };
}

/** Each is told once, by whoever hears of it first. */
const told = new WeakSet<FormAnswer>();
/** The refusal that is shown last, by fetcher. */
const refusals = new Map<string, ToastId>();

let taken = 0;

/**
 * Sends what takes a success back and tells its answer, since the form that was sent may be gone. Without an answer it can be
 * sent again from there: no button of the screen may do that. Each by a fetcher of its own: of two, one after the other, the
 * second would break the first off, before it has arrived perhaps.
 */
function takeBack(submit: SubmitFunction, undo: NonNullable<FormAnswer["undo"]>) {
  const { action, fields } = undo;
  taken += 1;
  const key = `undo ${taken}`;
  submit(fields, { method: "post", navigate: false, fetcherKey: key, action });
  onAnswer<FormAnswer>(key, undefined, (answer) =>
    toastAnswer(answer, "unreached" in answer ? () => takeBack(submit, undo) : undefined),
  );
}

/** Long enough to read what was done and to think again. */
const UNDO_MS = 10_000;

type ToastId = string | number;

/**
 * Shows an answer in a toast, with a button that takes it back if it can be. A screen reader says it: a form that shows a
 * refusal as well is no alert, which would be said beside it.
 */
export function toastAnswer({ ok, toast: words, detail }: FormAnswer, undo?: () => void): ToastId {
  const more = {
    ...(detail && { description: detail }),
    ...(undo && { action: { label: "Undo", onClick: undo }, duration: UNDO_MS }),
  };
  return ok ? toast.success(words, more) : toast.error(words, more);
}
