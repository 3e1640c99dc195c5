import { expect, test } from "vitest";
import { after } from "#durable/providers/after";
import { httpPost } from "#durable/providers/http-post";

const REQUEST = { url: "http://hub.invalid", headers: { A: "b" }, body: "text" };

function post(answer: typeof fetch, timeout_ms = 1_000, max_bytes = 1_000) {
  return httpPost(answer, after)(REQUEST, { timeout_ms, max_bytes });
}

test("does not follow a redirect and cancels its body", async () => {
  let canceled = false;
  const body = new ReadableStream({
    cancel() {
      canceled = true;
    },
  });
  expect(await post(async () => new Response(body, { status: 302 }))).toEqual({
    ok: false,
    failure: "unsent",
    status: 302,
    detail: "it answered with a redirect, which is not followed",
  });
  expect(canceled).toBe(true);
});

test("cancels an endless body at the size limit, which frees the connection", async () => {
  let canceled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(400)),
    cancel() {
      canceled = true;
    },
  });
  const told = { ok: false, failure: "lost", status: 200, detail: "its answer is far too long" };
  expect(await post(async () => new Response(body))).toEqual(told);
  expect(canceled).toBe(true);
});

test.each([
  ["within the time", 20, "no answer within 0.0 s"],
  ["since the line breaks", 1_000, "there is no connection, or it broke off"],
])("of an answer whose body does not end %s the status is told all the same", async (_, timeout_ms, detail) => {
  const answer: typeof fetch = async (_url, init) => {
    const body = new ReadableStream({
      start(controller) {
        const end = () => controller.error(new Error("ended"));
        if (timeout_ms === 20) init?.signal?.addEventListener("abort", end);
        else end();
      },
    });
    return new Response(body, { status: 202 });
  };
  expect(await post(answer, timeout_ms)).toEqual({ ok: false, failure: "lost", status: 202, detail });
});

test("posts the request unchanged and reads the whole reply, joining characters split across chunks", async () => {
  const asked: unknown[] = [];
  const bytes = new TextEncoder().encode("größer");
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const told = await post(
    async (...of) => {
      asked.push(of);
      return new Response(body, { status: 404 });
    },
    1_000,
    bytes.length,
  );
  expect(told).toEqual({ ok: true, status: 404, text: "größer" });
  const { url, ...request } = REQUEST;
  expect(asked).toEqual([[url, { method: "POST", redirect: "manual", signal: expect.any(AbortSignal), ...request }]]);
});

test("marks a character that is cut off at the end", async () => {
  const told = await post(async () => new Response(new TextEncoder().encode("ü").slice(0, 1)));
  expect(told).toEqual({ ok: true, status: 200, text: "\uFFFD" });
});

test.each([299, 400])("accepts an empty reply with HTTP %i", async (status) => {
  expect(await post(async () => new Response(null, { status }))).toEqual({ ok: true, status, text: "" });
});

test.each([300, 399])("treats HTTP %i as a redirect", async (status) => {
  expect(await post(async () => new Response(null, { status }))).toMatchObject({
    ok: false,
    failure: "unsent",
    status,
  });
});

test("reports no status for a redirect that the runtime hides", async () => {
  expect(await post(async () => Response.error())).toMatchObject({ ok: false, failure: "unsent", status: null });
});

test("gives up on a server that never answers, at the deadline, and clears the deadline after an answer", async () => {
  const answer: typeof fetch = (_url, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("refused"))));
  expect(await post(answer, 20)).toEqual({
    ok: false,
    failure: "lost",
    status: null,
    detail: "no answer within 0.0 s",
  });
  let calledOff = 0;
  await httpPost(
    async () => new Response("ok"),
    () => () => (calledOff += 1),
  )(REQUEST, { timeout_ms: 1_000, max_bytes: 10 });
  expect(calledOff).toBe(1);
});

test.each([
  ["error code: 1003", 403, false],
  ["Error code: 1000", 403, false],
  ["error code: 1003", 200, true],
  ["error code: 1103", 403, true],
])("'%s' with HTTP %i is the server's reply, not Cloudflare refusing the address: %s", async (text, status, ok) => {
  const detail = "it could not be reached";
  const told = ok ? { ok, text } : { ok, failure: "unsent", status, detail };
  expect(await post(async () => new Response(text, { status }))).toMatchObject(told);
});

test.each([
  ["connect ECONNREFUSED 10.0.0.1:1080", "unsent"],
  ["network is unreachable", "unsent"],
  ["connect EHOSTUNREACH", "unsent"],
  ["connect ENETUNREACH 192.168.1.50:1080", "unsent"],
  ["getaddrinfo ENOTFOUND hub", "unsent"],
  ["other side closed", "lost"],
])("'%s' is %s: a refused connection did nothing, a broken one may have", async (cause, failure) => {
  const detail = failure === "unsent" ? "it could not be reached" : "there is no connection, or it broke off";
  const told = { ok: false, failure, status: null, detail };
  expect(await post(() => Promise.reject(new TypeError("fetch failed", { cause: new Error(cause) })))).toEqual(told);
  expect(await post(() => Promise.reject(new Error(cause)))).toEqual(told);
});

test("handles a thrown value that is not an Error", async () => {
  expect(await post(() => Promise.reject("connection refused"))).toMatchObject({ failure: "unsent" });
});

test.each([
  [{ "Retry-After": "7" }, 7_000],
  [{ "Retry-After": "Wed, 10 Jun 2026 18:00:09 GMT", Date: "Wed, 10 Jun 2026 18:00:00 GMT" }, 9_000],
  [{ "Retry-After": "Wed, 10 Jun 2026 18:00:09 GMT" }, undefined],
  [{ "Retry-After": "0" }, undefined],
  [{ "Retry-After": "soon" }, undefined],
  [{}, undefined],
])("%j means a wait of %s ms", async (headers, retry_after_ms) => {
  expect(await post(async () => new Response("{}", { status: 429, headers }))).toEqual({
    ok: true,
    status: 429,
    text: "{}",
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
  });
});
