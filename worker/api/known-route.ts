import type { MiddlewareHandler } from "hono";
import type { ApiEnv } from "#worker/api/session";

type Route = { method: string; path: string };

/** Answers an unknown path with 404 and a wrong method with 405, as JSON, before checking the session. */
export function knownRoute(routes: () => readonly Route[]): MiddlewareHandler<ApiEnv> {
  let known: { method: string; segments: string[] }[] | null = null;
  return async (c, next) => {
    const segments = c.req.path.split("/");
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    // At the first request, when all routes are there: splitting a hundred paths takes as long as many a call.
    known ??= routes().flatMap(({ method, path }) => (method === "ALL" ? [] : [{ method, segments: path.split("/") }]));
    const methods = known.flatMap((route) => (serves(route.segments, segments) ? [route.method] : []));
    if (methods.includes(method)) return next();
    if (methods.length === 0) return c.json({ detail: "Not found" }, 404);
    return c.json({ detail: "This method is not allowed here" }, 405, { Allow: [...new Set(methods)].join(", ") });
  };
}

function serves(expected: string[], actual: string[]): boolean {
  return (
    expected.length === actual.length &&
    expected.every((segment, i) => (segment.startsWith(":") ? actual[i] !== "" : segment === actual[i]))
  );
}
