import { createExecutionContext } from "cloudflare:test";
import { expect, test } from "vitest";
import worker from "#worker/index";
import { bindings, ORIGIN } from "../support/door";

/** `fetch` forbids a GET with a body, which other clients send, so the body is added afterwards. */
function withBody(path: string, method: string): Request {
  const request = new Request(`${ORIGIN}${path}`, { method });
  Object.defineProperty(request, "body", { value: new Response("{}").body });
  return request;
}

test.each(["/api/health", "/api/areas", "/login"])("refuses GET %s with a body instead of failing", async (path) => {
  const response: Response = await worker.fetch(withBody(path, "GET"), bindings(), createExecutionContext());
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("A request that only reads may not have a body");
});
