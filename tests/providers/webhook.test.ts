import { expect, test } from "vitest";
import type { Post, Reply } from "#durable/providers/http-post";
import { newWebhookSecret, postSigned } from "#durable/providers/webhook";

const MESSAGE = { id: "msg_1", body: "{}", at: Date.parse("2026-06-10T12:00:00.900Z") };
const target = () => ({ url: "https://hooks.example/", secrets: [newWebhookSecret()] });
const answered = (reply: Reply) => postSigned(async () => reply, target(), MESSAGE);

test("a message leaves with its id, its time in seconds and ten seconds to be answered in", async () => {
  const asked: Parameters<Post>[] = [];
  const post: Post = async (...exchange) => {
    asked.push(exchange);
    return { ok: true, status: 204, text: "" };
  };
  expect(await postSigned(post, target(), MESSAGE)).toEqual({ ok: true, http_status: 204, answer: "" });
  const [[request, limits] = []] = asked;
  expect(request?.headers).toMatchObject({ "webhook-id": "msg_1", "webhook-timestamp": "1781092800" });
  expect(limits).toEqual({ timeout_ms: 10_000, max_bytes: 4_096 });
});

test("what is longer than anybody reads counts as answered all the same", async () => {
  const long: Reply = { ok: false, failure: "lost", status: 200, detail: "its answer is far too long" };
  expect(await answered(long)).toEqual({ ok: true, http_status: 200, answer: "its answer is far too long" });
});

test.each([301, 302, 400, 404, 410, 429, 500, 503])("%i is a failure", async (status) => {
  expect(await answered({ ok: true, status, text: "no" })).toEqual({ ok: false, http_status: status, answer: "no" });
});

test("of an answer one line of what can be shown is kept", async () => {
  const { answer } = await answered({ ok: true, status: 500, text: `a\u0000\n\u202eb ${"x".repeat(1_000)}` });
  expect(answer.slice(0, 6)).toBe("a b xx");
  expect(answer).toHaveLength(300);
});
