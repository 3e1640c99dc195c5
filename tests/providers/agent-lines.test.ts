import { expect, test } from "vitest";
import type { AgentAnswer, ToAgent } from "#domain/agent/frames";
import { AgentLines, type Asked } from "#durable/providers/agent-lines";
import type { AgentSocket, Carried } from "#durable/providers/agent-socket";

const ASKED: Asked = {
  order: 0,
  for_ms: 5_000,
  hub: "h1",
  device: null,
  verb: "ping",
  action: null,
  address: null,
  off_after_min: null,
};
const ANSWER: AgentAnswer = { ok: true, state: "unknown", http_status: 200, snippet: "local: fine", rtt_ms: 1 };

function aLine() {
  let carried: Carried = {
    agent_id: "a1",
    generation: 1,
    connection: "c1",
    since: 0,
    proto: 1,
    welcomed_at: 0,
    settled_at: 0,
  };
  const sent: string[] = [];
  const socket: AgentSocket = {
    readyState: 1,
    send: (text) => void sent.push(String(text)),
    close: () => undefined,
    serializeAttachment: (value) => void (carried = value),
    deserializeAttachment: () => carried,
  };
  const lines = new AgentLines({
    lines: () => [{ socket, pinged_at: 0 }],
    now: () => 0,
    after: () => () => undefined,
  });
  const asked = (): (ToAgent & { id: string })[] => sent.map((text) => JSON.parse(text));
  return { socket, lines, asked };
}

test("answers that were asked for are never too many, however many a sunset asks for", async () => {
  const { socket, lines, asked } = aLine();
  for (let n = 0; n < 250; n += 1) {
    const reply = lines.ask("a1", ASKED, 5_000);
    expect(lines.isTooMany(socket)).toBe(false);
    lines.answered(socket, asked().at(-1)?.id ?? "", ANSWER);
    expect(await reply).toEqual({ kind: "answered", answer: ANSWER });
  }
});

test("answers that nobody asked for are", () => {
  const { socket, lines } = aLine();
  const frames = Array.from({ length: 101 }, (_, n) => {
    const isTooMany = lines.isTooMany(socket);
    lines.answered(socket, `made up ${n}`, ANSWER);
    return isTooMany;
  });
  expect(frames.indexOf(true)).toBe(100);
});
