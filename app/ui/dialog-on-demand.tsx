import { Suspense, type ReactNode } from "react";
import { Arriving } from "#app/ui/arriving";
import { onDemand } from "#app/ui/on-demand";

/** A dialog whose code is fetched when it is first opened; a notice that it is on its way stands in its place until then. */
export function dialogOnDemand<Props extends object>(load: () => Promise<{ default: (props: Props) => ReactNode }>) {
  const Part = onDemand(load);
  return function DialogOnDemand(props: Props) {
    return (
      <Suspense fallback={<Arriving />}>
        <Part {...props} />
      </Suspense>
    );
  };
}
