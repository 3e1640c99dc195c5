import type { ImportState } from "#domain/enums";
import { Badge, type Tone } from "#app/ui/badge";

const STATES: Record<ImportState, { tone: Tone; label: string }> = {
  checking: { tone: "brand", label: "Checking" },
  ready: { tone: "warn", label: "Ready to import" },
  applying: { tone: "brand", label: "Importing" },
  done: { tone: "ok", label: "Imported" },
  failed: { tone: "bad", label: "Failed" },
};

export function StateBadge({ state }: { state: ImportState }) {
  const { tone, label } = STATES[state];
  return (
    <span className="shrink-0">
      <Badge tone={tone}>{label}</Badge>
    </span>
  );
}
