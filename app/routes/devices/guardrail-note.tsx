import { MoonStar } from "lucide-react";
import { useOrganization } from "#app/components/organization";
import { formatInstant } from "#domain/display";
import type { Guardrail } from "./device-card";

/** Why no light may go on now; every card's ON button points here. */
export function GuardrailNote({ guardrail }: { guardrail: Guardrail }) {
  const { zone } = useOrganization();
  if (!guardrail) return null;
  return (
    <p
      id="guardrail"
      className="bg-warn-soft text-warn-text mb-4 flex items-start gap-2 rounded-lg px-3 py-2.5 font-medium"
    >
      <MoonStar aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        The {guardrail.kind} is in force until {formatInstant(guardrail.until, zone)}: lights can be turned off, but not
        on.
      </span>
    </p>
  );
}
