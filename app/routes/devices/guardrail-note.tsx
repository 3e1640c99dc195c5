import { MoonStar } from "#app/ui/icons";

/** Why no light may go on now. Every disabled ON button refers to it (aria-describedby). */
export function GuardrailNote({ guardrail }: { guardrail: string | null }) {
  if (!guardrail) return null;
  return (
    <p
      id="guardrail"
      className="bg-warn-soft text-warn-text mb-4 flex items-start gap-2 rounded-lg px-3 py-2.5 font-medium"
    >
      <MoonStar className="mt-0.5 size-4 shrink-0" />
      <span>{guardrail}. Turning off always works.</span>
    </p>
  );
}

/** The same of one light, above or below its buttons. */
export function RefusalNote({ refusal }: { refusal: string | null }) {
  if (!refusal) return null;
  return (
    <p id="guardrail" className="text-ink-soft mt-2 flex items-start gap-1.5 text-sm">
      <MoonStar className="mt-0.5 size-4 shrink-0" />
      {refusal}. Turning off always works.
    </p>
  );
}
