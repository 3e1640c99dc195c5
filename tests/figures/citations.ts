import type { Source } from "./sources";

/**
 * What a reader of the repository cannot follow: the number of a paper that is not in it. A decision of the tree is
 * cited by its file, `durable/DECISIONS.md#12`.
 */
const PAPERS = [
  /\b(decisions?|design|scenarios?|spec|specification|style|issues?|steps?|items?|points?)\s+(no\.?\s*|#)?\d+(\.\d+)*\b/i,
  /\.\.\/shared\b/,
  /\b(spec|design|house|style|scenarios|night|yolink|decisions)\.md\b/,
  /§\s*\d/,
];
/** 'two steps 1 s apart' and the like are no papers. */
const QUANTITY = /\b(steps?|items?|points?)\s+\d+(\.\d+)?\s*(ms|s|min|h|px|%|seconds?|minutes?|hours?)\b/i;
/** They hold the patterns, or what these must refuse. */
const EXCEPT = /^tests\/figures\//;

/** `path:line: the text`, of each line that cites a paper from outside the tree. */
export function citations(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => !EXCEPT.test(path))
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .map((line, n) => ({ line: line.trim(), n: n + 1 }))
        .filter(({ line }) => cites(line))
        .map(({ line, n }) => `${path}:${n}: ${line.slice(0, 160)}`),
    );
}

/** Whether a line cites a paper from outside the tree. */
export function cites(line: string): boolean {
  return !QUANTITY.test(line) && PAPERS.some((paper) => paper.test(line));
}
