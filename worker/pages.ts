import { createRequestHandler } from "@remix-run/cloudflare";
import type { Handler } from "hono";
import * as build from "../build/server/index.js";
import type { ApiEnv } from "#worker/api/session";
import { createContext } from "#worker/context";

const remix = createRequestHandler(build);

/** Everything that is not /api: the screens. */
export const pages: Handler<ApiEnv> = (c) =>
  remix(c.req.raw, createContext(c.env, c.executionCtx, c.req.raw, c.var.csp_nonce));
