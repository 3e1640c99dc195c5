import type { ErrorHandler } from "hono";
import { causeOf, HTTP_STATUS, isRefusal } from "#domain/errors";
import { UnreadableBody, type ApiEnv } from "#worker/api/session";
import { log } from "#worker/log";

/** Answers every failure with a message for people; an internal error has a request id and never a stack. */
export const onError: ErrorHandler<ApiEnv> = (caught, c) => {
  if (caught instanceof UnreadableBody) return c.json({ detail: caught.message }, caught.status);
  if (isRefusal(caught)) {
    if (caught.retry_after_sec !== undefined) c.header("Retry-After", String(caught.retry_after_sec));
    if (caught.code === "unauthenticated") c.header("WWW-Authenticate", "Bearer");
    const errors = caught.fields ? { errors: caught.fields } : {};
    return c.json({ detail: caught.detail, ...errors }, HTTP_STATUS[caught.code]);
  }
  const { request_id } = c.var;
  log("error", "request.failed", { request_id, method: c.req.method, path: c.req.path, ...causeOf(caught) });
  return c.json({ detail: "Something went wrong. Please try again.", request_id }, 500);
};
