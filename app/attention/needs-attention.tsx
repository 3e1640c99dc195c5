import { Link } from "@remix-run/react";
import { useId } from "react";
import { Button } from "#app/ui/button";
import type { Attention } from "#domain/alarms/attention";
import { grouped } from "#domain/counted";
import { attentionWords } from "./attention-words";
import { AttentionRow } from "./attention-row";
import { useSettled } from "./use-settled";

type Props = { attention: Attention };

/**
 * What needs a person now, worst first, each with its one obvious action; nothing at all when all is well. The screen's
 * action handles its buttons with `attentionHandlers`.
 */
export function NeedsAttention({ attention: { items, total, counts } }: Props) {
  const heading = useId();
  const { rows, fresh, show, hold } = useSettled(items);
  if (rows.length === 0) return null;
  const more = total - items.length;
  return (
    <section aria-labelledby={heading} className="panel">
      <header>
        <h2 id={heading}>Needs attention</h2>
        <b>{grouped(total)}</b>
        <p role="status" className="max-sm:order-1 max-sm:basis-full">
          {attentionWords(counts)}
        </p>
        <span>
          <Link to="/alarms" prefetch="intent">
            Alarms
          </Link>
        </span>
      </header>
      <ul aria-labelledby={heading} {...hold}>
        {rows.map((row) => (
          <AttentionRow key={row.item.id} {...row} />
        ))}
      </ul>
      {fresh > 0 && (
        <Button variant="ghost" className="w-full" onClick={show}>
          {fresh} new
        </Button>
      )}
      {more > 0 && <p className="border-line text-ink-soft border-t px-4 py-2.5">and {more} more</p>}
    </section>
  );
}
