import { useState } from "react";
import type { FormAnswer } from "#app/forms/form-answer";

/**
 * What a form has saved before, without an answer, and is to save over when it is sent again; and how often that was, for
 * its idempotency key: what is sent then is something new. `answer` is the form's last.
 */
export function useSavedBefore(answer: FormAnswer | undefined) {
  const [last, setLast] = useState<{ answer?: FormAnswer; count: number }>({ count: 0 });
  if (answer?.saved_before && answer !== last.answer) setLast({ answer, count: last.count + 1 });
  return { ...last.answer?.saved_before, count: last.count };
}
