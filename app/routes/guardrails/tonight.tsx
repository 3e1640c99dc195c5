import { MoonStar, TriangleAlert } from "#app/ui/icons";
import type { Guardrails } from "#domain/schedule/schedule";
import { classes } from "#app/ui/classes";
import { tonightWords } from "./describe-rules";

/** What the rules in the form would mean for the coming night. */
export function Tonight({ rules, now, isSaved }: { rules: Guardrails; now: number; isSaved: boolean }) {
  const words = tonightWords(rules, now, isSaved);
  if (!words) return null;
  const Icon = words.isWarning ? TriangleAlert : MoonStar;
  return (
    <div
      role="status"
      aria-label="Tonight"
      className={classes(
        "flex items-start gap-2 rounded-lg px-3 py-2.5",
        words.isWarning ? "bg-warn-soft text-warn-text" : "bg-sunken",
      )}
    >
      <Icon className="mt-0.5 size-4 shrink-0" />
      <div>
        {words.sentences.map((sentence, row) => (
          <p key={sentence} className={row === 0 ? "font-medium" : "mt-0.5"}>
            {sentence}
          </p>
        ))}
      </div>
    </div>
  );
}
