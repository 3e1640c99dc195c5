import { z } from "zod";
import { toLocalInput } from "#domain/time/display";
import type { Role } from "#domain/enums";
import { instant, requiredText } from "#domain/fields/fields";
import { MAX_BEGIN_MS, MAX_TITLE } from "#domain/fields/limits";
import { targetInput } from "#domain/schedule/target-schema";
import { HOUR_MS } from "#domain/time/units";

const MOST_MS = 7 * 24 * HOUR_MS;
const MANAGERS_MOST_MS = 2 * HOUR_MS;

/** The input of a permit. Without `from` it begins now. */
export const permitInput = z
  .object(
    {
      target: targetInput,
      from: instant("From must be a date and time").optional(),
      to: instant("To must be a date and time"),
      reason: requiredText("Reason", MAX_TITLE, "A reason is required"),
    },
    "A permit must have a target, a time and a reason",
  )
  .refine(({ from, to }) => from === undefined || Date.parse(to) > Date.parse(from), {
    path: ["to"],
    message: "The permit must end after it begins",
  });
export type PermitInput = z.infer<typeof permitInput>;

/** Why somebody may not give a permit at an instant, as a field and a message; null if they may. */
export function permitProblem(
  { from, to }: { from: string; to: string },
  { role, now, zone }: { role: Role; now: Date; zone: string },
): { field: "from" | "to"; detail: string } | null {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (end <= now.getTime()) return { field: "to", detail: "This permit lies wholly in the past" };
  if (start - now.getTime() > MAX_BEGIN_MS) {
    return { field: "from", detail: "The permit must begin within ten years from now" };
  }
  if (end - start > MOST_MS) return { field: "to", detail: "A permit may last at most 7 days" };
  if (role === "admin") return null;
  if (end - start > MANAGERS_MOST_MS) {
    return { field: "to", detail: "Only an admin may permit more than 2 hours" };
  }
  const begins = Math.max(start, now.getTime());
  if (toLocalInput(begins, zone).date !== toLocalInput(now.getTime(), zone).date) {
    return { field: "from", detail: "Only an admin may give a permit for another day than today" };
  }
  return null;
}
