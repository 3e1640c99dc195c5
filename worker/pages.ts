import { createRequestHandler } from "@remix-run/cloudflare";
import type { Handler } from "hono";
import * as build from "../build/server/index.js";
import type { ApiEnv } from "#worker/api/session";
import { createContext } from "#worker/context";

const remix = createRequestHandler(build);

/** The screens: everything that is not /api. Actions expect form data; reject any other body with 400. */
export const pages: Handler<ApiEnv> = async (c) => {
  const request = c.req.raw;
  if (!(await isReadable(request))) return c.text("Send a form", 400);
  return remix(request, createContext(c.env, c.executionCtx, request, c.var.secureHeadersNonce));
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
