import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { setFlash } from "#app/session/flash";
import { loginPath } from "#app/session/return-path";
import type { SignedIn } from "#worker/context";

type Args = Pick<LoaderFunctionArgs, "context" | "request">;

/** Who asks, and the verbs they have; signed out it throws the way to /login. */
export function requireUser({ context, request }: Args): Promise<SignedIn> {
  return orLogin(request, context.requireUser());
}

/** The same for /welcome, where somebody does what is due before anything else. */
export function requireNewcomer({ context, request }: Args) {
  return orLogin(request, context.requireNewcomer());
}

async function orLogin<Known>(request: Request, known: Promise<Known>): Promise<Known> {
  try {
    return await known;
  } catch (thrown) {
    // A cookie is cleared: there was a session, and the person should know why they are asked again.
    if (thrown instanceof Response && thrown.headers.has("Set-Cookie")) setFlash(thrown.headers, "expired");
    if (thrown instanceof Response && thrown.headers.get("Location") === "/login") {
      thrown.headers.set("Location", loginPath(new URL(request.url)));
    }
    throw thrown;
  }
}

/** For the screens of the signed out: a signed-in visit goes to the dashboard. */
export async function requireSignedOut({ context }: Pick<Args, "context">): Promise<void> {
  const signedIn = await context.requireUser().then(
    () => true,
    () => false,
  );
  if (signedIn) throw redirect("/dashboard");
}
