import { sessionsOf, type Standing } from "#db/live-sessions";
import { isDemoAccount } from "#db/demo-accounts";
import { causeOf } from "#domain/errors";
import { roleOf } from "#domain/organization/permissions";
import { isSessionOver, restrictionOf } from "#domain/organization/session-rules";
import { visibleDepts } from "#domain/records/visibility";
import { SESSION_EXPIRED } from "#domain/organization/session-expired";
import { orgId } from "#durable/state/meta";
import type { EngineContext, LiveSocket } from "#durable/state/context";
import { D1_DEADLINE_MS, withDeadline } from "#durable/state/deadline";
import { runOneMore } from "#durable/state/one-more";
import { settingsOf } from "#durable/state/plan";
import { putTimer } from "#durable/state/timers";
import { close } from "./push";
import { subscriberOf, type Subscriber } from "./subscriber";

/** A hint that a session has ended may be lost; so long after it, at most, the socket is closed all the same. */
export const CHECKED_EVERY_MS = 60_000;

/** The timer's turn, which ends with the last socket. */
export function watchSessions(context: EngineContext): void {
  if (context.sockets().length === 0) return;
  putTimer(context.sql, "sockets", "", context.now() + CHECKED_EVERY_MS);
  context.after(0, () => void checkSessions(context));
}

/**
 * Closes the sockets whose person has signed out, is no longer a member, or may see something else than when it was
 * opened, as D1 has it now: one statement for all of them. Never rejects; without an answer the next turn asks again.
 */
export function checkSessions(context: EngineContext): Promise<void> {
  return runOneMore(context.checks, () => check(context)).catch((error: unknown) =>
    context.log({ level: "warn", event: "live.unchecked", reason: causeOf(error).error }),
  );
}

async function check(context: EngineContext): Promise<void> {
  const open = context.sockets().flatMap((socket) => {
    const subscriber = subscriberOf(socket);
    return subscriber ? [{ socket, subscriber }] : [];
  });
  if (open.length === 0) return;
  const chosen = new Map(open.map(({ subscriber: { sid, dept_id } }) => [keyOf({ sid, dept_id }), { sid, dept_id }]));
  const found = await withDeadline(
    context,
    D1_DEADLINE_MS,
    sessionsOf(context.db, orgId(context), [...chosen.values()]),
  );
  const standings = new Map(
    found.map((standing) => [keyOf({ sid: standing.sid, dept_id: standing.chosen }), standing]),
  );
  for (const { socket, subscriber } of open) judge(context, socket, subscriber, standings.get(keyOf(subscriber)));
}

function keyOf({ sid, dept_id }: Pick<Subscriber, "sid" | "dept_id">): string {
  return `${sid} ${dept_id ?? ""}`;
}

function judge(
  context: EngineContext,
  socket: LiveSocket,
  subscriber: Subscriber,
  standing: Standing | undefined,
): void {
  if (!standing || !isSignedIn(context, standing)) return close(socket, "signed_out", SESSION_EXPIRED);
  const role = roleOf(standing.role);
  const dept_memberships = standing.depts.map((dept_id) => ({ dept_id }));
  const current_dept_id = standing.has_chosen ? subscriber.dept_id : null;
  const depts = visibleDepts({ role, current_dept_id, dept_memberships });
  if (role === subscriber.role && isSame(depts, subscriber.depts)) return;
  close(socket, "changed", "What you may see has changed");
}

function isSignedIn(context: EngineContext, standing: Standing): boolean {
  const { SESSION_IDLE_MIN, SECOND_FACTOR_ROLES } = settingsOf(context.sql);
  if (isSessionOver(standing, SESSION_IDLE_MIN, new Date(context.now()))) return false;
  const required = needsSecondFactor(standing, SECOND_FACTOR_ROLES);
  return restrictionOf(standing, { enabled: standing.second_factor_at !== null, required }) === null;
}

function needsSecondFactor({ user_id, role }: Standing, roles: readonly string[]): boolean {
  return !isDemoAccount(user_id) && roles.includes(roleOf(role));
}

function isSame(one: string[] | null, other: string[] | null): boolean {
  if (one === null || other === null) return one === other;
  return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
}
