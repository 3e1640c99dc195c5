import { z } from "zod";
import { instant, requiredText } from "#domain/fields/fields";
import { MAX_BEGIN_MS, MAX_TITLE } from "#domain/fields/limits";
import { targetInput } from "#domain/schedule/target-schema";

const fields = {
  from: instant("From must be a date and time"),
  to: instant("To must be a date and time, or none until it is reopened").nullable(),
  reason: requiredText("Reason", MAX_TITLE, "A reason is required"),
};

/** The input of a closure. Without `from` it begins now. */
export const closureInput = z.object(
  { target: targetInput, from: fields.from.optional(), to: fields.to.optional(), reason: fields.reason },
  "A closure must have a target, a time and a reason",
);

export type ClosureInput = z.infer<typeof closureInput>;

/** The input of a change to one; what is absent stays as it is, and a `from` of null is now. */
export const closureChange = z.object(
  {
    target: targetInput.optional(),
    from: fields.from.nullable().optional(),
    to: fields.to.optional(),
    reason: fields.reason.optional(),
  },
  "A closure must have a target, a time and a reason",
);

/** Why a closure (ISO) cannot be saved at an instant, as a field and a message; null if it can. */
export function closureProblem(
  { from, to }: { from: string; to: string | null },
  now: Date,
): { field: "from" | "to"; detail: string } | null {
  const start = Date.parse(from);
  if (Math.abs(start - now.getTime()) > MAX_BEGIN_MS) {
    return { field: "from", detail: "The closure must begin within ten years from now" };
  }
  if (to === null) return null;
  if (Date.parse(to) <= start) return { field: "to", detail: "The closure must end after it begins" };
  if (Date.parse(to) < now.getTime()) return { field: "to", detail: "This closure lies wholly in the past" };
  return null;
}

/** The end of a changed closure (ISO). An end in the past reopens a running one now: the past cannot be changed. */
export function reopened({ from, to }: { from: string; to: string | null }, now: Date): string | null {
  if (to === null) return null;
  const [start, end, at] = [Date.parse(from), Date.parse(to), now.getTime()];
  return start < end && end < at ? now.toISOString() : to;
}
