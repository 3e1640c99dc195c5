import { Link } from "@remix-run/react";
import { NeedsAttention } from "#app/attention/needs-attention";
import type { Attention } from "#domain/attention";

/** The worst of what is wrong now, above the night. The default export is for lazy(). */
export default function WrongFirst({ attention }: { attention: Attention }) {
  return (
    <div className="mb-4">
      <NeedsAttention attention={attention}>
        <Link to="/alarms" prefetch="intent">
          Alarms
        </Link>
      </NeedsAttention>
    </div>
  );
}
