import { Hono } from "hono";
import { api } from "#worker/api/index";
import { hygiene } from "#worker/api/hygiene";
import { onError } from "#worker/api/on-error";
import type { ApiEnv } from "#worker/api/session";
import type { Bindings } from "#worker/context";
import { pages } from "#worker/pages";
import { sweep } from "#worker/sweep";

export { OrgScheduler } from "#durable/org-scheduler";

const door = new Hono<ApiEnv>().use(hygiene).route("/", api).all("*", pages).onError(onError);

export default {
  fetch: door.fetch,
  scheduled: (_event, env) => sweep(env),
} satisfies ExportedHandler<Bindings>;
