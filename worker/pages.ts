import { createRequestHandler } from "@remix-run/cloudflare";
import type { Handler } from "hono";
import * as build from "../build/server/index.js";
import type { ApiEnv } from "#worker/api/session";
import { createContext } from "#worker/context";
import { withoutPrefixes, withPrefixes } from "#worker/host-cookies";
import { IDEMPOTENCY_KEY } from "#worker/services/once";

const remix = createRequestHandler(build);

/** The screens: everything that is not /api. Actions expect form data; reject any other body with 400. */
export const pages: Handler<ApiEnv> = async (c) => {
  const request = c.req.raw;
  const form = await formOf(request);
  if (!form) return c.text("Send a form", 400);
  const context = createContext(c.env, c.executionCtx, request, c.var.secureHeadersNonce, keyIn(form));
  return withPrefixes(request, await remix(withoutPrefixes(request), context));
};

/** A copy of the form; empty for a GET, null if the body is not a form. */
function formOf(request: Request): Promise<FormData | null> {
  if (["GET", "HEAD"].includes(request.method)) return Promise.resolve(new FormData());
  return request
    .clone()
    .formData()
    .catch(() => null);
}

/** The hidden field with the idempotency key of a form. */
function keyIn(form: FormData): string | null {
  const key = form.get("idempotency_key");
  return typeof key === "string" && IDEMPOTENCY_KEY.test(key) ? key : null;
}
