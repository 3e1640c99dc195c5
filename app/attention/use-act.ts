import { useState } from "react";
import { useOrganization } from "#app/components/organization";
import { useAnswer } from "#app/forms/use-answer";
import type { AttentionItem } from "#domain/alarms/attention";
import { formatClock } from "#domain/time/display";

/** An item's call. What came of it stands in the row until something else is known of the light or the hub. */
export function useAct(item: AttentionItem) {
  const { zone } = useOrganization();
  const { fetcher, pending } = useAnswer({ key: `attention ${item.id}` });
  const [sentence, setSentence] = useState<string | null>(null);
  const { ok, at } = fetcher.data ?? {};
  const isAnswered = ok === true && sentence === item.sentence;
  const clock = at ? ` at ${formatClock(Date.parse(at), zone)}` : "";
  const [waiting, answered] =
    item.kind === "hub"
      ? ["Waiting for the hub", `It answered${clock}.`]
      : ["Waiting for the lamp", `It answered${clock}; its state is being read.`];
  return {
    Form: fetcher.Form,
    onSubmit: () => setSentence(item.sentence),
    pending,
    /** What happens, in place of the item's sentence; null before it was asked. */
    words: pending ? waiting : isAnswered ? answered : null,
  };
}
