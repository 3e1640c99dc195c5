import type { MiddlewareHandler } from "hono";
import { isApi } from "#worker/api/request-guards";
import type { ApiEnv } from "#worker/api/session";
import { problemsOf, type Problem } from "#worker/configuration/problems";
import { log } from "#worker/log";

/** Found once for each set of bindings, which lives as long as its isolate. */
const found = new WeakMap<object, Problem[]>();

/**
 * Answers 503 while a secret that everything needs is missing or malformed, and the log says which. The operator's own door
 * stays open: the sentences are read there, too.
 */
export const configured: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const problems = found.get(c.env) ?? reportProblems(c.env);
  const isStopped = problems.some(({ stops }) => stops);
  if (!isStopped || c.req.path.startsWith("/api/operator/")) return next();
  c.header("Retry-After", "60");
  return isApi(c.req.path) ? c.json({ detail: DETAIL }, 503) : c.html(PAGE, 503);
};

/** Logs a sentence for each secret or setting that is missing or malformed, and returns them. */
export function reportProblems(env: Parameters<typeof problemsOf>[0]): Problem[] {
  const problems = problemsOf(env);
  found.set(env, problems);
  for (const { name, sentence, stops } of problems) {
    log(stops ? "error" : "warn", "configuration.problem", { name, problem: sentence });
  }
  return problems;
}

const DETAIL = "Lamplighter is not configured yet";

const PAGE = `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<title>Not configured - Lamplighter</title>
<h1>${DETAIL}</h1>
<p>A secret of this server is missing or wrong. Whoever runs it finds which one in its log.</p>
</html>
`;
