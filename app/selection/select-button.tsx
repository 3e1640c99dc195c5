import { ListChecks } from "#app/ui/icons";
import type { Choosing } from "#app/selection/use-selection";
import { Button } from "#app/ui/button";

/** Starts and ends selecting. Hidden without script, which selecting needs. */
export function SelectButton({ selection }: { selection: Choosing }) {
  return (
    <Button
      icon={<ListChecks className="size-4" />}
      aria-pressed={selection.isOn}
      onClick={selection.isOn ? selection.end : selection.begin}
      className="noscript:hidden"
    >
      <span className="max-sm:sr-only">Select</span>
    </Button>
  );
}
