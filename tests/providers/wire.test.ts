import { expect, test } from "vitest";
import { httpPost } from "#durable/providers/yolink/wire";

const after = (ms: number, then: () => void) => {
  const timeout = setTimeout(then, ms);
  return () => clearTimeout(timeout);
};
const REQUEST = { url: "http://hub.invalid", headers: {}, body: "" };

function post(answer: () => Promise<Response>, timeout_ms = 1_000, max_bytes = 1_000) {
  return httpPost(answer, after)(REQUEST, { timeout_ms, max_bytes });
}

test("a redirect is not followed, and its body is let go", async () => {
  let canceled = false;
  const body = new ReadableStream({
    cancel() {
      canceled = true;
    },
  });
  expect(await post(async () => new Response(body, { status: 302 }))).toMatchObject({
    ok: false,
    failure: "unsent",
    status: 302,
  });
  expect(canceled).toBe(true);
});

test("a body without end is given up at its bound, and its connection freed", async () => {
  let canceled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(400)),
    cancel() {
      canceled = true;
    },
  });
  expect(await post(async () => new Response(body))).toMatchObject({ ok: false, failure: "lost" });
  expect(canceled).toBe(true);
});

test("an address that the edge may not call was not reached: nothing was done", async () => {
  const refused = async () => new Response("error code: 1003", { status: 403 });
  expect(await post(refused)).toMatchObject({ ok: false, failure: "unsent", status: 403 });
});

test("who refuses the connection did nothing; who breaks it off may have", async () => {
  const failing = (cause: string) => () => Promise.reject(new TypeError("fetch failed", { cause: new Error(cause) }));
  expect(await post(failing("connect ECONNREFUSED 10.0.0.1:1080"))).toMatchObject({ failure: "unsent" });
  expect(await post(failing("other side closed"))).toMatchObject({ failure: "lost" });
});
