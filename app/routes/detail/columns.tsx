import type { ReactNode } from "react";

type Props = { main: ReactNode; aside: ReactNode; history: ReactNode };

/** Two columns on a wide screen; on a phone one, with the history last. */
export function Columns({ main, aside, history }: Props) {
  return (
    <div className="grid items-start gap-3 *:min-w-0 sm:gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="grid gap-3 *:min-w-0 max-xl:contents sm:gap-4">
        {main}
        <div className="max-xl:order-2">{history}</div>
      </div>
      <div className="grid gap-3 *:min-w-0 max-xl:order-1 sm:gap-4">{aside}</div>
    </div>
  );
}
