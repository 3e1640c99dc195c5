import { isNullRefused } from "#db/constraint-failure";
import { Refusal } from "#domain/errors";

/** The record, or 404; a hidden or another organization's record is answered as one that does not exist. */
export function found<Found>(record: Found | undefined, noun: string): Found {
  if (record === undefined) throw new Refusal("not_found", `${noun} not found`);
  return record;
}

/** A refusal (422) for one field; the message is a whole sentence. */
export function invalid(field: string, detail: string): Refusal {
  return new Refusal("invalid", detail, { fields: { [field]: detail } });
}

/** Refuses what a rule of the domain has found wrong, if it has. */
export function refuseProblem(problem: { field: string; detail: string } | null): void {
  if (problem) throw invalid(problem.field, problem.detail);
}

/**
 * For a write that failed: what it was judged by may have changed at that moment, and `judge`, which refuses it by then, says
 * so better than the statement that failed. Where it refuses nothing, that is thrown.
 */
export function judgeAnew(judge: () => Promise<unknown>) {
  return async (caught: unknown): Promise<never> => {
    await judge();
    throw caught;
  };
}

/** Refuses a write that failed on a NULL in `column` (`table.column`), since what it was judged by has changed at that moment. */
export function refuseNull(column: `${string}.${string}`, refusal: Refusal) {
  return (caught: unknown): never => {
    throw isNullRefused(caught, column) ? refusal : caught;
  };
}

/**
 * Refuses with `conflict` what was read at another version, before it is judged by what the record refers to by now. That
 * nothing slips in between is for the write itself.
 */
export function permitVersion({ version }: { version: number }, noun: string, if_match?: number): void {
  if (if_match !== undefined && if_match !== version) throw new Refusal("conflict", changedMeanwhile(noun));
}

/** What is said to who saves what somebody else has changed since. */
export function changedMeanwhile(noun: string): string {
  return `This ${noun} was changed by someone else meanwhile. Reload and try again.`;
}

/** Refuses with `forbidden` what the role permits, but not for this record. */
export function permitRecord(allowed: boolean): void {
  if (!allowed) throw new Refusal("forbidden", "Permission denied");
}
