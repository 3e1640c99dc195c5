import { z } from "zod";
import { ROLES } from "#domain/enums";

/**
 * Whose browser listens, and what it may hear: `depts` are the departments that it sees besides what is organization-wide,
 * null for all of them, and `dept_id` the one that the person has chosen. The socket carries it, since it outlives the
 * process. `sid` is the session's id, with which nobody can sign in.
 */
export const subscriber = z.object({
  user_id: z.string(),
  sid: z.string(),
  role: z.enum(ROLES),
  dept_id: z.string().nullable(),
  depts: z.array(z.string()).nullable(),
});
export type Subscriber = z.infer<typeof subscriber>;

/** Whose socket it is; null where an older release has written what it carries. */
export function subscriberOf(socket: { deserializeAttachment: () => unknown }): Subscriber | null {
  return subscriber.safeParse(socket.deserializeAttachment()).data ?? null;
}

/** Whether the browser may hear of something in the department, null for what is organization-wide. */
export function hears({ depts }: Pick<Subscriber, "depts">, dept_id: string | null): boolean {
  return depts === null || dept_id === null || depts.includes(dept_id);
}
