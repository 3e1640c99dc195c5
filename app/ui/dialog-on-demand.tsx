import { Suspense, type ReactNode } from "react";
import { Arriving } from "#app/ui/arriving";
import { onDemand } from "#app/ui/on-demand";

type Closing = { onClose: () => void };

/**
 * A dialog whose code is fetched when it is first opened; a notice that it is on its way stands in its place until then.
 * One whose code cannot be fetched is closed, or the next press would open what is open already.
 */
export function dialogOnDemand<Props extends object>(load: () => Promise<{ default: (props: Props) => ReactNode }>) {
  const Part = onDemand(load);
  return function DialogOnDemand(props: Props & Closing) {
    return (
      <Suspense fallback={<Arriving />}>
        <Part {...props} />
      </Suspense>
    );
  };
}
