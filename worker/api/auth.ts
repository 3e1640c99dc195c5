import { Hono, type Context } from "hono";
import { sessionCookie } from "#worker/auth/cookie";
import { sessionsFor } from "#worker/context";
import { body, signedIn, type ApiEnv } from "#worker/api/session";
import type { AuthSession } from "#worker/auth/session";

/** /auth (spec 7, decisions 1 to 5, 12 and 27). What re-issues the token re-issues the page's cookie with it. */
export const authApi = new Hono<ApiEnv>()
  .post("/login", async (c) => {
    const session = carry(c, await sessionsFor(c.env, c.req.raw).signIn(await body(c)));
    return c.json({ ...bearer(session), user: session.user });
  })
  .get("/me", signedIn, (c) => c.json(c.var.user))
  .post("/switch-dept", signedIn, async (c) => {
    const dept_id = c.req.query("dept_id") || null;
    return c.json(bearer(carry(c, await sessionsFor(c.env, c.req.raw).switchDept(c.var.session, dept_id))));
  })
  .put("/password", signedIn, async (c) => {
    const session = await sessionsFor(c.env, c.req.raw).changePassword(c.var.session, await body(c));
    return c.json({ success: true, ...bearer(carry(c, session)) });
  })
  .post("/logout", signedIn, async (c) => {
    await sessionsFor(c.env, c.req.raw).signOut(c.var.session);
    c.header("Set-Cookie", sessionCookie(c.req.raw, null));
    return c.json({ success: true });
  });

function bearer({ token }: AuthSession) {
  return { access_token: token, token_type: "bearer" };
}

function carry(c: Context<ApiEnv>, session: AuthSession): AuthSession {
  c.header("Set-Cookie", sessionCookie(c.req.raw, session));
  return session;
}
