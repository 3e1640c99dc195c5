import type { EmailService } from "#domain/enums";
import { parseObject } from "#domain/fields/json";
import type { Post, Reply, Request } from "./http-post";
import { isFinal, type Messenger, type Sent } from "./messenger";
import { oneLine } from "./one-line";

/** `base` takes the place of the service's own address; the demo's tests answer there. */
export type EmailAccount = {
  service: Exclude<EmailService, "off">;
  key: string;
  from: string;
  base?: string | undefined;
};

type Letter = { id: string; to: string; subject: string; text: string };
type Answer = Record<string, unknown>;

type Service = {
  name: string;
  base: string;
  path: string;
  headers: (key: string, letter: Letter) => Record<string, string>;
  body: (from: string, letter: Letter) => unknown;
  /** Whether this status and answer say that the letter was taken; what is neither that nor a refusal came from elsewhere. */
  isTaken: (status: number, answer: Answer) => boolean;
  /** Why it was not, in the service's own words. */
  why: (answer: Answer) => unknown;
};

const TIMEOUT_MS = 8_000;
const MAX_BYTES = 64 * 1024;
const MAX_WORDS = 200;
const MAX_SUBJECT = 150;
/** Resend refuses whoever does not say who it is. */
const AGENT = "Lamplighter";

const SERVICES: Record<EmailAccount["service"], Service> = {
  postmark: {
    name: "Postmark",
    base: "https://api.postmarkapp.com",
    path: "/email",
    headers: (key) => ({ "X-Postmark-Server-Token": key }),
    body: (from, { to, subject, text }) => ({
      From: from,
      To: to,
      Subject: subject,
      TextBody: text,
      MessageStream: "outbound",
    }),
    isTaken: (status, { ErrorCode }) => status === 200 && ErrorCode === 0,
    why: ({ Message }) => Message,
  },
  resend: {
    name: "Resend",
    base: "https://api.resend.com",
    path: "/emails",
    headers: (key, { id }) => ({ Authorization: `Bearer ${key}`, "Idempotency-Key": id }),
    body: (from, { to, subject, text }) => ({ from, to: [to], subject, text }),
    isTaken: (status, { id }) => status === 200 && typeof id === "string",
    why: ({ message }) => message,
  },
  sendgrid: {
    name: "SendGrid",
    base: "https://api.sendgrid.com",
    path: "/v3/mail/send",
    headers: (key) => ({ Authorization: `Bearer ${key}` }),
    body: (from, { to, subject, text }) => ({
      personalizations: [{ to: [{ email: to }] }],
      from: { email: from },
      subject,
      content: [{ type: "text/plain", value: text }],
    }),
    isTaken: (status) => status === 202,
    why: ({ errors }) => (Array.isArray(errors) ? errors[0]?.message : undefined),
  },
};

/** E-mail by a service's HTTP API. */
export function emailBy(post: Post, account: EmailAccount, timeout_ms = TIMEOUT_MS): Messenger {
  const service = SERVICES[account.service];
  return async (to, { id, text }) => {
    const letter = { id: `${await digest(`${id} ${to}`)}`, to, subject: subjectOf(text), text };
    const reply = await post(requestOf(service, account, letter), { timeout_ms, max_bytes: MAX_BYTES });
    return readReply(service, reply, account.key);
  };
}

function requestOf(service: Service, { key, from, base = service.base }: EmailAccount, letter: Letter): Request {
  return {
    url: `${base}${service.path}`,
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      "User-Agent": AGENT,
      ...service.headers(key, letter),
    },
    body: JSON.stringify(service.body(from, letter)),
  };
}

/** An incident's id names hubs and lights, and may be longer than a service takes. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function subjectOf(text: string): string {
  return oneLine(text.split("\n")[0] ?? "", MAX_SUBJECT);
}

function readReply(service: Service, reply: Reply, key: string): Sent {
  const { name } = service;
  if (!reply.ok) return { ok: false, again: true, detail: `${name} did not answer: ${reply.detail}` };
  const { status, text } = reply;
  const answer = parseObject(text) ?? {};
  if (service.isTaken(status, answer)) return { ok: true };
  const refused = isFinal(status);
  const why = wordsOf(service.why(answer), key);
  const what = refused ? `${name} refused it (${status})` : `${name} answered ${status}`;
  return { ok: false, again: !refused, detail: why === "" ? what : `${what}: ${why}` };
}

/** The service's own sentence, but for our key, which it may repeat. */
function wordsOf(why: unknown, key: string): string {
  return typeof why === "string" ? oneLine(why.replaceAll(key, "***"), MAX_WORDS) : "";
}
