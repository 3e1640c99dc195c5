/** A line of EXPLAIN QUERY PLAN that a large city would feel. */
const SCAN = /^SCAN (?!json_each|CONSTANT ROW|\d+-ROW VALUES|\(subquery)/;
const SORT = /^USE TEMP B-TREE FOR (?:RIGHT PART OF |LAST TERM OF |LAST \d+ TERMS OF )?ORDER BY/;

/** What is slow about a statement, by the lines of its EXPLAIN QUERY PLAN: whole tables read, and sorts made on the fly. */
export function slowSteps(details: string[]): string[] {
  return details.filter((detail) => SCAN.test(detail) || SORT.test(detail));
}
