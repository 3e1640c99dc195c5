import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { setFlash } from "#app/session/flash";
import { loginPath } from "#app/session/return-path";
import { SESSION_ENDED } from "#domain/organization/session-rules";
import type { SignedIn } from "#worker/context";

type Args = Pick<LoaderFunctionArgs, "context" | "request">;

/** The user and their services; throws a redirect to /login if signed out. */
export function requireUser({ context, request }: Args): Promise<SignedIn> {
  return orLogin(request, context.requireUser());
}

/** The same for /welcome, where a person does what is due first. */
export function requireNewcomer({ context, request }: Args) {
  return orLogin(request, context.requireNewcomer());
}

async function orLogin<Known>(request: Request, known: Promise<Known>): Promise<Known> {
  try {
    return await known;
  } catch (thrown) {
    if (thrown instanceof Response && thrown.headers.has(SESSION_ENDED)) setFlash(thrown.headers, "expired");
    if (thrown instanceof Response && thrown.headers.get("Location") === "/login") {
      thrown.headers.set("Location", loginPath(new URL(request.url)));
    }
    throw thrown;
  }
}

/** For signed-out screens; redirects a signed-in person to the dashboard. */
export async function requireSignedOut({ context }: Pick<Args, "context">): Promise<void> {
  const signedIn = await context.requireUser().then(
    () => true,
    (thrown: unknown) => {
      // Whether somebody is signed in, nobody knows while the database is away.
      if (!(thrown instanceof Response) || thrown.status >= 400) throw thrown;
      return false;
    },
  );
  if (signedIn) throw redirect("/dashboard");
}
