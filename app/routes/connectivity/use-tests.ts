import { useRef, useState } from "react";
import { toastAnswer } from "#app/forms/use-answer";
import type { FormAnswer } from "#app/forms/form-answer";
import type { Step } from "./sequence";
import { useAsk, type Subject } from "./use-ask";
import { useFullTest } from "./use-full-test";
import { serverAhead } from "#app/router/server-ahead";

export type Result = { id: number; at: string; ok: boolean; words: string; detail: string | null };

const KEPT = 10;

/**
 * Runs the screen's tests and keeps the latest results of this session. What got no answer is dated by the server's clock,
 * too, which the screen knows from its loading: this device's own may be any.
 */
export function useTests(loaded: number) {
  const ahead_ms = useRef(serverAhead(loaded));
  const ask = useAsk();
  const [results, setResults] = useState<Result[]>([]);
  const [pending, setPending] = useState<Step | null>(null);
  const full = useFullTest(recorded);

  async function recorded(intent: Step | "end", subject: Subject): Promise<FormAnswer> {
    const answer = await ask(intent, subject);
    // A refused form never reached the hardware, so it is no result.
    const isResult = intent !== "end" && Object.keys(answer.errors).length === 0;
    if (isResult) setResults((before) => [resultOf(answer, ahead_ms.current, before), ...before].slice(0, KEPT));
    return answer;
  }

  async function runOne(step: Step, subject: Subject) {
    setPending(step);
    toastAnswer(await recorded(step, subject));
    setPending(null);
  }

  return { results, pending, runOne, full };
}

function resultOf({ ok, toast, detail, at }: FormAnswer, ahead_ms: number, before: Result[]): Result {
  const now = new Date(Date.now() + ahead_ms).toISOString();
  return { id: (before[0]?.id ?? 0) + 1, at: at ?? now, ok, words: toast, detail };
}
