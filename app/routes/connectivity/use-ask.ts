import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useOrganization } from "#app/components/organization";
import type { FormAnswer } from "#app/forms/form-answer";
import type { Step } from "./sequence";

export type Subject = { device_id: string; hub_id: string };

/** The screen's calls as promises, one at a time, so that the full test can await each step. */
export function useAsk() {
  const { user } = useOrganization();
  const { submit, data } = useFetcher<FormAnswer>();
  const waiting = useRef<((answer: FormAnswer) => void) | null>(null);

  useEffect(() => {
    if (!data) return;
    waiting.current?.(data);
    waiting.current = null;
  }, [data]);

  return (intent: Step | "end", subject: Subject): Promise<FormAnswer> => {
    submit({ intent, org_id: user.current_org_id, ...subject }, { method: "post", action: "/connectivity" });
    return new Promise((resolve) => {
      waiting.current = resolve;
    });
  };
}
