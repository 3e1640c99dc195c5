import { Hono } from "hono";
import { knownRoute } from "#worker/api/known-route";
import type { ApiEnv } from "#worker/api/session";
import { backupApi } from "#worker/operator/backup";
import { operatorHealth } from "#worker/operator/health";
import { operatorOnly } from "#worker/operator/operator-only";
import { restoreApi } from "#worker/operator/restore";

/**
 * The calls of whoever runs the deployment, across organizations: no session, no cookie, no person. They are in no
 * organization's API, and so not in its OpenAPI document.
 */
export const operator: Hono<ApiEnv> = new Hono<ApiEnv>()
  .basePath("/api/operator")
  .use(operatorOnly)
  .use(knownRoute(() => operator.routes))
  .get("/health", operatorHealth)
  .route("/organizations", backupApi)
  .route("/organizations", restoreApi);
