import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { askApi } from "#app/components/ask-api";
import { runAll } from "#app/selection/run-all";

export type Item = { id: string; name: string };
/** What became of one of them: null as the reason of a success. */
export type Result = Item & { reason: string | null };
/** 'Turning on', 'turned on'. */
export type Doing = { now: string; done: string };
export type Run = { doing: Doing; total: number; results: Result[]; isOver: boolean };

/** As many as the engine has hands for in most modes. */
const AT_ONCE = 6;

/**
 * Many calls, one for each record: each is permitted, judged and audited as if it were pressed by itself, and none
 * waits for the whole. Ends when the screen is left.
 */
export function useBulk() {
  const { revalidate } = useRevalidator();
  const [run, setRun] = useState<Run | null>(null);
  const goesOn = useRef(false);
  useEffect(
    () => () => {
      goesOn.current = false;
    },
    [],
  );

  /** Answers the results, so that what failed can be chosen again. */
  async function start(doing: Doing, items: Item[], call: (item: Item) => ReturnType<typeof askApi>) {
    const results: Result[] = [];
    const tell = (isOver: boolean) => setRun({ doing, total: items.length, results: [...results], isOver });
    goesOn.current = true;
    tell(false);
    await runAll(
      items,
      AT_ONCE,
      () => goesOn.current,
      async (item) => {
        const { status, reason } = await call(item);
        // Signed out: the lists, asked again, lead to the sign-in screen.
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
