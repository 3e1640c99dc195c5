import { afterEach, expect, test } from "vitest";
import { after } from "#durable/providers/after";
import { emailBy, type EmailAccount } from "#durable/providers/email";
import { httpPost } from "#durable/providers/http-post";
import type { Sent } from "#durable/providers/messenger";
import { closeServers } from "#tests/support/loopback";
import { answers, aService } from "./a-service";

type Service = EmailAccount["service"];

const KEY = "hush-hush-key";
const LETTER = { id: "city:hub:1:100:hub_offline", text: "Alarm: Hub A & B has been offline for 15 minutes." };
const post = httpPost(fetch, after);

afterEach(closeServers);

function sent(service: Service, base: string, timeout_ms?: number): Promise<Sent> {
  return emailBy(
    post,
    { service, key: KEY, from: "lights@city.example", base },
    timeout_ms,
  )("ana@city.example", LETTER);
}

const TAKEN: Record<Service, [number, unknown]> = {
  postmark: [200, { ErrorCode: 0, Message: "OK", MessageID: "1" }],
  resend: [200, { id: "49a3999c" }],
  sendgrid: [202, ""],
};

test.each([
  [
    "postmark",
    "POST /email",
    { "x-postmark-server-token": KEY },
    {
      From: "lights@city.example",
      To: "ana@city.example",
      Subject: LETTER.text,
      TextBody: LETTER.text,
      MessageStream: "outbound",
    },
  ],
  [
    "resend",
    "POST /emails",
    {
      authorization: `Bearer ${KEY}`,
      "user-agent": "Lamplighter",
      "idempotency-key": expect.stringMatching(/^\w{64}$/),
    },
    { from: "lights@city.example", to: ["ana@city.example"], subject: LETTER.text, text: LETTER.text },
  ],
  [
    "sendgrid",
    "POST /v3/mail/send",
    { authorization: `Bearer ${KEY}` },
    {
      personalizations: [{ to: [{ email: "ana@city.example" }] }],
      from: { email: "lights@city.example" },
      subject: LETTER.text,
      content: [{ type: "text/plain", value: LETTER.text }],
    },
  ],
] as const)("%s gets a message as its API takes it", async (service, asked, headers, body) => {
  const { base, heard } = await aService(answers(...TAKEN[service]));
  expect(await sent(service, base)).toEqual({ ok: true });
  expect(heard.map((request) => ({ ...request, body: JSON.parse(request.body) }))).toEqual([
    { asked, body, headers: expect.objectContaining({ "content-type": "application/json", ...headers }) },
  ]);
});

test("a second try of the same message to the same person has the same key, and no other", async () => {
  const { base, heard } = await aService(answers(...TAKEN.resend));
  const email = emailBy(post, { service: "resend", key: KEY, from: "lights@city.example", base });
  for (const to of ["ana@city.example", "ana@city.example", "ben@city.example"]) await email(to, LETTER);
  const [first, second, other] = heard.map(({ headers }) => headers["idempotency-key"]);
  expect(second).toBe(first);
  expect(other).not.toBe(first);
});

test.each([
  [
    "postmark",
    401,
    { ErrorCode: 10, Message: "Bad or missing API token." },
    "Postmark refused it (401): Bad or missing API token.",
  ],
  [
    "postmark",
    422,
    { ErrorCode: 406, Message: "Inactive\nrecipient" },
    "Postmark refused it (422): Inactive recipient",
  ],
  [
    "resend",
    403,
    { name: "validation_error", message: "The city.example domain is not verified" },
    "Resend refused it (403): The city.example domain is not verified",
  ],
  [
    "sendgrid",
    401,
    { errors: [{ message: "The provided authorization grant is invalid" }] },
    "SendGrid refused it (401): The provided authorization grant is invalid",
  ],
  ["sendgrid", 400, "<html>no</html>", "SendGrid refused it (400)"],
] as const)("%s: does not retry after %i", async (service, status, body, detail) => {
  const { base } = await aService(answers(status, body));
  expect(await sent(service, base)).toEqual({ ok: false, again: false, detail });
});

test.each([
  ["postmark", 429, { ErrorCode: 429, Message: "Rate limit exceeded" }, "Postmark answered 429: Rate limit exceeded"],
  ["resend", 500, { message: "Internal error" }, "Resend answered 500: Internal error"],
  ["sendgrid", 503, "<html>later</html>", "SendGrid answered 503"],
  ["postmark", 200, { ErrorCode: 300, Message: "Invalid" }, "Postmark answered 200: Invalid"],
  ["resend", 200, "<html>a hotel's sign-in page</html>", "Resend answered 200"],
  ["sendgrid", 200, "<html>a hotel's sign-in page</html>", "SendGrid answered 200"],
] as const)("%s: retries after %i", async (service, status, body, detail) => {
  const { base } = await aService(answers(status, body));
  expect(await sent(service, base)).toEqual({ ok: false, again: true, detail });
});

test("does not follow a redirect, which would carry the key elsewhere", async () => {
  const other = await aService(answers(...TAKEN.resend));
  const { base } = await aService((response) => response.writeHead(307, { Location: other.base }).end());
  expect(await sent("resend", base)).toMatchObject({ ok: false, again: true });
  expect(other.heard).toEqual([]);
});

test("retries after no answer and a broken connection, within its time", async () => {
  const silent = await aService(() => undefined);
  expect(await sent("postmark", silent.base, 50)).toMatchObject({ ok: false, again: true });
  const cut = await aService((response) => response.destroy());
  expect(await sent("postmark", cut.base)).toMatchObject({ ok: false, again: true });
});

test("quotes the service's words without the key, and no more of them than fit", async () => {
  const { base } = await aService(answers(422, { Message: `${KEY} ${"x".repeat(1_000)}` }));
  const told = await sent("postmark", base);
  expect(JSON.stringify(told)).not.toContain(KEY);
  expect(JSON.stringify(told).length).toBeLessThan(300);
});

test("posts to the service's own address unless another is given", async () => {
  const asked: string[] = [];
  const noting: typeof post = async ({ url }) => {
    asked.push(url);
    return { ok: true, status: 500, text: "" };
  };
  for (const service of ["postmark", "resend", "sendgrid"] as const)
    await emailBy(noting, { service, key: KEY, from: "a@b.example" })("ana@city.example", LETTER);
  expect(asked).toEqual([
    "https://api.postmarkapp.com/email",
    "https://api.resend.com/emails",
    "https://api.sendgrid.com/v3/mail/send",
  ]);
});
