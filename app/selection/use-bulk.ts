import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { askApi, type ApiCall } from "#app/components/ask-api";
import { useNeedsPage } from "#app/router/needed-page";
import { runAll } from "#app/selection/run-all";

export type Item = { id: string; name: string };
/** The result for one item; `reason` is null for a success. */
export type Result = Item & { reason: string | null };
/** 'Turning on', 'turned on'. */
export type Doing = { now: string; done: string };
export type Run = { doing: Doing; total: number; results: Result[]; isOver: boolean };

/** The number of commands that the engine runs at once in most provider modes. */
const AT_ONCE = 6;

/**
 * One call per record, so that each is authorized, checked and audited separately. Stops when the screen is left.
 */
export function useBulk() {
  const { revalidate } = useRevalidator();
  const [run, setRun] = useState<Run | null>(null);
  const goesOn = useRef(false);
  // Also until its result was read.
  useNeedsPage(run !== null);
  useEffect(
    () => () => {
      goesOn.current = false;
    },
    [],
  );

  /** Returns the results, so that failed rows can stay selected. */
  async function start(doing: Doing, items: Item[], callOf: (item: Item) => ApiCall) {
    const results: Result[] = [];
    // Of the department in which it began: in one that is chosen in another tab meanwhile the rest would not be found.
    const token = localStorage.getItem("token");
    const tell = (isOver: boolean) => setRun({ doing, total: items.length, results: [...results], isOver });
    goesOn.current = true;
    tell(false);
    await runAll(
      items,
      AT_ONCE,
      () => goesOn.current,
      async (item) => {
        const { status, reason } = await askApi(token, callOf(item));
        // Signed out: reloading the lists leads to the sign-in screen.
        if (status === 401) goesOn.current = false;
        results.push({ ...item, reason });
        tell(false);
      },
    );
    tell(true);
    revalidate();
    return results;
  }

  return {
    run,
    start,
    stop: () => {
      goesOn.current = false;
    },
    forget: () => setRun(null),
  };
}
