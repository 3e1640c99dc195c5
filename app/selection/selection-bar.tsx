import { Suspense } from "react";
import { onDemand } from "#app/ui/on-demand";
import type { Props } from "./chosen-bar";

/** Loaded when rows are first chosen, to keep it out of every first load. */
const ChosenBar = onDemand<Props>(async () => ({ default: (await import("./chosen-bar")).ChosenBar }));

/** The bar while selecting, and while what was chosen is being done. */
export function SelectionBar(props: Props) {
  const { selection, run } = props;
  if (!selection.isOn && (run === null || run.isOver)) return null;
  return (
    <Suspense>
      <ChosenBar {...props} />
    </Suspense>
  );
}
