import { useFetcher } from "@remix-run/react";
import { useId, useRef } from "react";
import { useOrganization } from "#app/components/organization";
import type { FormAnswer } from "#app/forms/form-answer";
import { onAnswer } from "#app/router/fetcher-answer";
import type { Step } from "./sequence";

export type Subject = { device_id: string; hub_id: string };

/**
 * The screen's calls as promises, one at a time, so that the full test can await each step. Answers come from the router:
 * a screen that waits for what it loads anew takes none in, and the test would stand still in the middle.
 */
export function useAsk() {
  const { user } = useOrganization();
  const key = useId();
  const { submit } = useFetcher<FormAnswer>({ key });
  const last = useRef<FormAnswer>();

  return (intent: Step | "end", subject: Subject): Promise<FormAnswer> => {
    submit({ intent, org_id: user.current_org_id, ...subject }, { method: "post", action: "/connectivity" });
    return new Promise((resolve) => {
      onAnswer<FormAnswer>(key, last.current, (answer) => {
        last.current = answer;
        resolve(answer);
      });
    });
  };
}
