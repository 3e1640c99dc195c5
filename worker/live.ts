import type { Context, Handler } from "hono";
import { toObject } from "#durable/live/request";
import { Refusal } from "#domain/errors";
import { visibleDepts } from "#domain/records/visibility";
import { cookieToken } from "#worker/auth/cookie";
import { DUE, type ApiEnv } from "#worker/api/session";
import { sessionsFor } from "#worker/wiring";
import { openSocket } from "#worker/scheduler";
import { engineAway } from "#worker/services/scope";

/**
 * A socket on which a signed-in person's browser hears what changes in their organization. Browsers open sockets to any
 * site and send its cookie along, so the page's origin has to be ours. Refusals are the API's, never a redirect.
 */
export const live: Handler<ApiEnv> = async (c) => {
  if (c.req.header("Upgrade")?.toLowerCase() !== "websocket") {
    c.header("Upgrade", "websocket");
    return c.json({ detail: "Open this address as a WebSocket" }, 426);
  }
  if (c.req.header("Origin") !== new URL(c.req.url).origin) throw new Refusal("forbidden", "Permission denied");
  const { user, sid, restriction } = await sessionsFor(c.env, c.req.raw).find(cookieToken(c.req.raw), "cookie");
  if (restriction !== null) throw new Refusal("forbidden", DUE[restriction]);
  c.set("user", user);
  const { id: user_id, role, current_org_id: org_id, current_dept_id: dept_id } = user;
  const here = user.dept_memberships.filter((membership) => membership.org_id === org_id);
  const depts = visibleDepts({ role, current_dept_id: dept_id, dept_memberships: here });
  const subscriber = { user_id, sid, role, dept_id, depts };
  const request = toObject({ org_id, subscriber, since: since(c), age_ms: count(c.req.query("age")) ?? 0 });
  const { webSocket } = await openSocket(c.env.SCHEDULER, request, "scheduler.live_failed", { org_id });
  if (!webSocket) throw engineAway();
  return new Response(null, { status: 101, webSocket });
};

/** The version that the browser has; one that is no version counts as too old. */
function since(c: Context<ApiEnv>): number | null {
  const given = c.req.query("since");
  return given === undefined ? null : (count(given) ?? 0);
}

function count(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
