import { useState } from "react";
import { changed, touchedIn, type Draft } from "./draft";

/** The draft in the form, and which parts were chosen by hand. `isNew`: its start is only proposed. */
export function useDraft(first: () => Draft, isNew: boolean) {
  const [draft, setDraft] = useState(first);
  const [touched, setTouched] = useState(() => touchedIn(draft, isNew));

  function change(part: Partial<Draft>) {
    const now = {
      proposed: "start_date" in part ? null : touched.proposed,
      end_date: touched.end_date || "end_date" in part,
      days: touched.days || "days" in part,
    };
    setTouched(now);
    setDraft(changed(draft, part, now));
  }

  return { draft, change };
}
