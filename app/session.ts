import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { SignedIn } from "#worker/context";
import { leaveNotice } from "#app/notice";

/** Who asks, and the verbs they have; signed out it throws the way to /login (spec 2, spec 4: any 401). */
export async function requireUser({
  context,
  request,
}: Pick<LoaderFunctionArgs, "context" | "request">): Promise<SignedIn> {
  try {
    return await context.requireUser(request);
  } catch (thrown) {
    if (thrown instanceof Response && hadSession(request)) leaveNotice(thrown.headers, "expired");
    throw thrown;
  }
}

/** For the screens of the signed out: a signed-in visit goes to the dashboard (decision 3). */
export async function requireSignedOut({ context, request }: LoaderFunctionArgs): Promise<void> {
  const signedIn = await context.requireUser(request).then(
    () => true,
    () => false,
  );
  if (signedIn) throw redirect("/dashboard");
}

function hadSession(request: Request) {
  return /(?:^|;\s*)(?:__Host-)?(?:lamplighter_)?session=/.test(request.headers.get("Cookie") ?? "");
}
