import type { MiddlewareHandler } from "hono";
import type { ApiEnv } from "#worker/api/session";

type Route = { method: string; path: string };

/** Answers an unknown path with 404 and a wrong method with 405, as JSON, before checking the session. */
export function knownRoute(routes: () => readonly Route[]): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { path } = c.req;
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    const methods = routes().flatMap((route) => (route.method !== "ALL" && serves(route, path) ? [route.method] : []));
    if (methods.includes(method)) return next();
    if (methods.length === 0) return c.json({ detail: "Not found" }, 404);
    return c.json({ detail: "This method is not allowed here" }, 405, { Allow: [...new Set(methods)].join(", ") });
  };
}

function serves(route: Route, path: string): boolean {
  const expected = route.path.split("/");
  const actual = path.split("/");
  return (
    expected.length === actual.length &&
    expected.every((segment, i) => (segment.startsWith(":") ? actual[i] !== "" : segment === actual[i]))
  );
}
