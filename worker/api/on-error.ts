import type { ErrorHandler } from "hono";
import { causeOf, HTTP_STATUS, isRefusal, refusalOf } from "#domain/errors";
import { UnreadableBody, type ApiEnv } from "#worker/api/session";
import { log } from "#worker/log";

/** Answers every failure with a message for people; an internal error has a request id and never a stack. */
export const onError: ErrorHandler<ApiEnv> = (caught, c) => {
  if (caught instanceof UnreadableBody) return c.json({ detail: caught.message }, caught.status);
  const { request_id } = c.var;
  if (!isRefusal(caught)) {
    log("error", "request.failed", { request_id, method: c.req.method, path: c.req.path, ...causeOf(caught) });
  }
  const refusal = refusalOf(caught);
  if (!refusal) return c.json({ detail: "Something went wrong. Please try again.", request_id }, 500);
  const { code, detail, fields, retry_after_sec } = refusal;
  if (retry_after_sec !== undefined) c.header("Retry-After", String(retry_after_sec));
  if (code === "unauthenticated") c.header("WWW-Authenticate", "Bearer");
  return c.json({ detail, ...(fields ? { errors: fields } : {}) }, HTTP_STATUS[code]);
};
