import type { Post } from "./http-post";

/** How many runners an organization has; with their connections, ten thousand switches of 0.4 s each take 21 s. */
export const RUNNERS = 32;
/** The connections of one invocation. */
export const CONNECTIONS_EACH = 6;

/** The runner of a number, from 0. */
export type RunnerOf = (n: number) => { post: Post };

/**
 * Posts by way of the runner that has the fewest posts under way, so that none has more than its connections while no more
 * than all of them are asked for. A runner that breaks off may have posted: its answer is lost.
 */
export function postByRunners(runnerOf: RunnerOf, runners = RUNNERS): Post {
  const underWay = Array.from({ length: runners }, () => 0);
  return async (request, limits) => {
    const n = underWay.indexOf(Math.min(...underWay));
    underWay[n] = (underWay[n] ?? 0) + 1;
    try {
      return await runnerOf(n).post(request, limits);
    } catch {
      return { ok: false, failure: "lost", status: null, detail: "its runner broke off" };
    } finally {
      underWay[n] = (underWay[n] ?? 0) - 1;
    }
  };
}
