import { CircleCheck, CircleX, Square, SquareCheck, X } from "#app/ui/icons";
import type { ReactNode } from "react";
import type { Run } from "#app/selection/use-bulk";
import type { Choosing } from "#app/selection/use-selection";
import { Button } from "#app/ui/button";
import { useLeftFocus } from "#app/ui/use-left-focus";

export type Props = {
  selection: Choosing;
  run: Run | null;
  onStop: () => void;
  onEnd: () => void;
  /** What is said under the outcome. */
  outcome?: ReactNode;
  /** The buttons for the selected rows. */
  children: ReactNode;
};

/**
 * The bar while selecting: the count, the actions, their progress and result. To a screen reader it says the beginning and
 * the end of the work: each of sixty steps would be said, too, and nothing else be heard meanwhile.
 */
export function ChosenBar({ selection, run, onStop, onEnd, outcome, children }: Props) {
  const isRunning = run !== null && !run.isOver;
  const bar = useLeftFocus<HTMLElement>(isRunning);
  return (
    <section
      ref={bar}
      tabIndex={-1}
      aria-label="Selection"
      data-bar
      className="bg-surface border-line-strong animate-rise sticky bottom-[calc(var(--bottom-bar)+0.75rem)] z-20 mt-4 rounded-xl border p-3 shadow-xl outline-none"
    >
      <div className={run?.isOver ? "border-line mb-3 border-b pb-3" : undefined}>
        {/* It is there before its words come. */}
        <div role="status">
          {isRunning && <span className="sr-only">{`${run.doing.now} ${run.total}...`}</span>}
          {run?.isOver && <Outcome run={run} />}
        </div>
        {run?.isOver && (
          <>
            <div role="status">{outcome}</div>
            <Failed run={run} />
          </>
        )}
      </div>
      {isRunning ? (
        <Progress run={run} onStop={onStop} />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="ghost"
            size="sm"
            icon={selection.isAll ? <SquareCheck className="size-4" /> : <Square className="size-4" />}
            aria-pressed={selection.isAll}
            onClick={selection.chooseAll}
          >
            All on this page
          </Button>
          <span role="status" className="text-ink-soft grow">
            {selection.chosen.length} selected
          </span>
          <div className="tiny:flex-wrap flex gap-2 max-sm:order-1 max-sm:basis-full max-sm:*:grow">{children}</div>
          <Button
            variant="ghost"
            size="icon"
            aria-label="End selection"
            icon={<X className="size-4" />}
            onClick={onEnd}
          />
        </div>
      )}
    </section>
  );
}

function Progress({ run, onStop }: { run: Run; onStop: () => void }) {
  const label = `${run.doing.now} ${run.results.length} of ${run.total}...`;
  return (
    <div className="flex items-center gap-3">
      <span className="shrink-0">{label}</span>
      <progress
        aria-label={run.doing.now}
        value={run.results.length}
        max={run.total}
        className="accent-brand min-w-0 grow"
      />
      <Button size="sm" onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}

/** '2 turned on, 1 failed, 3 left as they were'. */
function Outcome({ run }: { run: Run }) {
  const failed = failedOf(run).length;
  const left = run.total - run.results.length;
  const said = [
    `${run.results.length - failed} ${run.doing.done}`,
    failed > 0 && `${failed} failed`,
    left > 0 && `${left} left as they were`,
  ];
  return (
    <p className="flex items-center gap-2 font-semibold">
      {failed > 0 ? <CircleX className="text-bad-text size-4" /> : <CircleCheck className="text-ok-text size-4" />}
      {said.filter(Boolean).join(", ")}
    </p>
  );
}

function Failed({ run }: { run: Run }) {
  const failed = failedOf(run);
  if (failed.length === 0) return null;
  return (
    // A scrolling region must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul aria-label="What failed" tabIndex={0} className="mt-1.5 max-h-32 overflow-y-auto text-sm">
      {failed.map(({ id, name, reason }) => (
        <li key={id} className="py-0.5">
          <span className="font-medium">{name}</span>: <span className="text-ink-soft">{reason}</span>
        </li>
      ))}
    </ul>
  );
}

const failedOf = ({ results }: Run) => results.filter(({ reason }) => reason !== null);
