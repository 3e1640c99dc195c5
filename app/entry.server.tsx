import type { AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { CspNonce } from "#app/components/csp-nonce";
import { isNoScript } from "#app/no-script/no-script";
import { noScriptRedirect } from "#app/no-script/no-script-redirect";
import { logFailure } from "#app/router/log-failure";
import { LOGIN_HEADER, loginOf } from "#app/session/login-header";
import { DATABASE_WAIT_SEC, refusalOf } from "#domain/errors";

/** Deferred data must arrive before the browser gives up on the request at 10 s. */
export const streamTimeout = 9_000;

export default async function answerDocument(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
) {
  const { cspNonce } = context;
  const next = noScriptRedirect(request, headers, remixContext.staticHandlerContext.actionData);
  if (next) return next;
  // Without script nothing could move streamed content into place.
  const whole = isNoScript(request) || request.method === "POST" || isbot(request.headers.get("user-agent") ?? "");
  const body = await renderToReadableStream(
    <CspNonce.Provider value={cspNonce}>
      <RemixServer context={remixContext} url={request.url} abortDelay={streamTimeout} nonce={cspNonce} />
    </CspNonce.Provider>,
    {
      nonce: cspNonce,
      signal: request.signal,
      progressiveChunkSize: whole ? Infinity : undefined,
      onError(error) {
        if (!request.signal.aborted) logFailure(error);
      },
    },
  );
  if (whole) await body.allReady;
  headers.set("Content-Type", "text/html; charset=utf-8");
  return ofAway(new Response(body, { headers, status }), context);
}

/** Says whose data these are: a page of another login must not show them. */
export async function handleDataRequest(response: Response, { context }: Pick<LoaderFunctionArgs, "context">) {
  const login = await context.requireUser().then(
    ({ user }) => loginOf(user),
    () => null,
  );
  if (login !== null) response.headers.set(LOGIN_HEADER, login);
  return ofAway(response, context);
}

/** The requests in which the database was away: Remix takes what a loader throws for a fault of ours, a 500. */
const away = new WeakSet<AppLoadContext>();

function ofAway(response: Response, context: AppLoadContext): Response {
  if (response.status < 500) return response;
  const { body, headers, status } = response;
  const answer = new Response(body, { headers, status: away.has(context) ? 503 : status });
  if (answer.status === 503) answer.headers.set("Retry-After", String(DATABASE_WAIT_SEC));
  return answer;
}

/** What a loader or an action throws; the router's own refusals say why in their `data`. */
export function handleError(
  error: unknown,
  { request, context }: Pick<LoaderFunctionArgs, "request" | "context">,
): void {
  if (refusalOf(error)?.code === "unavailable") away.add(context);
  if (!request.signal.aborted) logFailure(isRouteErrorResponse(error) ? error.data : error);
}
