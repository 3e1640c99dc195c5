import type { AppLoadContext, EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server";
import { CspNonce } from "#app/components/csp-nonce";

/** Deferred data must have arrived by then: every request of the browser ends at 10 s (spec 9). */
export const streamTimeout = 9_000;

export default async function answerDocument(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { cspNonce }: AppLoadContext,
) {
  const body = await renderToReadableStream(
    <CspNonce.Provider value={cspNonce}>
      <RemixServer context={remixContext} url={request.url} abortDelay={streamTimeout} nonce={cspNonce} />
    </CspNonce.Provider>,
    {
      nonce: cspNonce,
      signal: request.signal,
      onError(error) {
        if (!request.signal.aborted) console.error(error);
      },
    },
  );
  if (isbot(request.headers.get("user-agent") ?? "")) await body.allReady;
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(body, { headers, status });
}
