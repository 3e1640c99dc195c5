import { Hono, type Context } from "hono";
import { deviceCookie, sessionCookie } from "#worker/auth/cookie";
import { secondFactorService } from "#worker/auth/second-factor";
import { authDeps, sessionsFor } from "#worker/wiring";
import { body, signedIn, signedInDespite, type ApiEnv } from "#worker/api/session";
import type { AuthSession } from "#worker/auth/auth-session";

const anybody = signedInDespite("password", "code", "second_factor");
const newSecondFactor = signedInDespite("second_factor");

/** /auth. Every call that issues a new token also renews the page's cookie. */
export const authApi = new Hono<ApiEnv>()
  .post("/login", async (c) => {
    const { session, device } = await sessionsFor(c.env, c.req.raw).signIn(await body(c));
    const answer = await bearer(c, session);
    c.header("Set-Cookie", deviceCookie(c.req.raw, device), { append: true });
    return c.json({ ...answer, user: session.user });
  })
  .get("/me", anybody, (c) => c.json(c.var.user))
  .post("/switch-dept", signedIn, async (c) => {
    const dept_id = c.req.query("dept_id") || null;
    return c.json(await bearer(c, await sessionsFor(c.env, c.req.raw).switchDept(c.var.session, dept_id)));
  })
  .put("/password", signedInDespite("password", "second_factor"), async (c) => {
    const session = await sessionsFor(c.env, c.req.raw).changePassword(c.var.session, await body(c));
    return c.json({ success: true, ...(await bearer(c, session)) });
  })
  .post("/logout", anybody, async (c) => {
    await sessionsFor(c.env, c.req.raw).signOut(c.var.session);
    c.header("Set-Cookie", sessionCookie(c.req.raw, null));
    return c.json({ success: true });
  })
  .post("/redeem", signedInDespite("code", "second_factor"), async (c) => {
    const { membership } = await sessionsFor(c.env, c.req.raw).redeem(c.var.session, await body(c));
    return c.json({ data: membership });
  })
  .get("/sessions", signedIn, async (c) => {
    return c.json({ data: await sessionsFor(c.env, c.req.raw).list(c.var.session) });
  })
  .delete("/sessions/:id", signedIn, async (c) => {
    await sessionsFor(c.env, c.req.raw).end(c.var.session, c.req.param("id"));
    return c.json({ success: true });
  })
  .get("/second-factor", newSecondFactor, async (c) => {
    return c.json({ data: await secondFactors(c).find(c.var.session) });
  })
  .post("/second-factor", newSecondFactor, async (c) => {
    return c.json({ data: await secondFactors(c).begin(c.var.session, await body(c)) });
  })
  .put("/second-factor", newSecondFactor, async (c) => {
    return c.json({ data: await secondFactors(c).confirm(c.var.session, await body(c)) });
  })
  .post("/second-factor/remove", signedIn, async (c) => {
    await secondFactors(c).remove(c.var.session, await body(c));
    return c.json({ success: true });
  });

function secondFactors(c: Context<ApiEnv>) {
  return secondFactorService(authDeps(c.env, c.req.raw));
}

async function bearer(c: Context<ApiEnv>, session: AuthSession) {
  const { tokenOf } = sessionsFor(c.env, c.req.raw);
  const [access_token, token] = await Promise.all([tokenOf(session, "bearer"), tokenOf(session, "cookie")]);
  c.header("Set-Cookie", sessionCookie(c.req.raw, { token, expires_at: session.expires_at }));
  return { access_token, token_type: "bearer" };
}
