import { createRequestHandler } from "@remix-run/cloudflare";
import type { Handler } from "hono";
import * as build from "../build/server/index.js";
import type { ApiEnv } from "#worker/api/session";
import { createContext } from "#worker/context";

const remix = createRequestHandler(build);

/** Everything that is not /api: the screens. Their actions read forms, so what is none is refused here, once. */
export const pages: Handler<ApiEnv> = async (c) => {
  const request = c.req.raw;
  if (!(await isReadable(request))) return c.text("Send a form", 400);
  return remix(request, createContext(c.env, c.executionCtx, request, c.var.csp_nonce));
};

function isReadable(request: Request): Promise<boolean> {
  if (["GET", "HEAD"].includes(request.method)) return Promise.resolve(true);
  return request
    .clone()
    .formData()
    .then(
      () => true,
      () => false,
    );
}
