import type { Handler } from "hono";
import type { ApiEnv } from "#worker/api/session";

export const operatorHealth: Handler<ApiEnv> = (c) => c.json({ status: "ok" });
