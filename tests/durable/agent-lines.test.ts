import { expect, test } from "vitest";
import { AgentLines, type Line } from "#durable/providers/agent-lines";
import { carry } from "#durable/providers/agent-socket";
import { Socket } from "#tests/support/an-agent";

/** What one line carries at most, and how long an unknown caller may stay. */

type Hand = { lines: AgentLines; socket: Socket; told: string[]; closings: string[]; pass: (ms: number) => void };

const ASKED = { order: 0, for_ms: 5_000, hub: "h", device: null, verb: "ping", action: null } as const;
const CALL = { ...ASKED, address: null, off_after_min: null };

/** Lines with one open socket, under a clock that only `pass` moves. */
function oneLine(proto: number | null): Hand {
  let now = 0;
  const alarms = new Set<{ at: number; ring: () => void }>();
  const [told, closings]: [string[], string[]] = [[], []];
  const socket = new Socket(
    (text) => told.push(text),
    (code, reason) => closings.push(`${code} ${reason}`),
  );
  carry(socket, {
    agent_id: "a",
    generation: 1,
    connection: "c",
    since: 0,
    proto,
    welcomed_at: proto === null ? null : 0,
    settled_at: null,
  });
  const line: Line = { socket, pinged_at: 0 };
  const lines = new AgentLines({
    lines: () => [line],
    now: () => now,
    after: (ms, ring) => {
      const alarm = { at: now + ms, ring };
      alarms.add(alarm);
      return () => alarms.delete(alarm);
    },
  });
  const pass = (ms: number) => {
    now += ms;
    for (const alarm of alarms) if (alarm.at <= now && alarms.delete(alarm)) alarm.ring();
  };
  return { lines, socket, told, closings, pass };
}

test("whoever says no hello within 15 s is hung up on, and told why", () => {
  const { lines, socket, told, closings, pass } = oneLine(null);
  lines.expectHello(socket, 15_000);
  pass(14_999);
  expect(closings).toEqual([]);
  pass(1);
  expect(closings).toEqual([expect.stringContaining("An agent says hello first")]);
  expect(told.map((text) => JSON.parse(text))).toEqual([
    { type: "bye", code: expect.any(Number), say: "An agent says hello first" },
  ]);
});

test("an agent that said hello stays, however long it has nothing to say", () => {
  const { lines, socket, closings, pass } = oneLine(null);
  lines.expectHello(socket, 15_000);
  lines.greeted(socket);
  pass(60_000);
  expect(closings).toEqual([]);
});

test("the 33rd call at once is not sent, and there is room again as soon as one has ended", async () => {
  const { lines, told, pass } = oneLine(1);
  const asked = Array.from({ length: 32 }, () => lines.ask("a", CALL, 8_000));
  expect(await lines.ask("a", CALL, 8_000)).toEqual({ kind: "full" });
  expect(told).toHaveLength(32);
  pass(8_000);
  expect(new Set((await Promise.all(asked)).map(({ kind }) => kind))).toEqual(new Set(["silent"]));
  void lines.ask("a", CALL, 8_000);
  expect(told).toHaveLength(33);
});

test("the 101st frame within ten seconds is one too many, and an answer that was asked for does not count", async () => {
  const { lines, socket, told, pass } = oneLine(1);
  const asked = lines.ask("a", CALL, 8_000);
  const { id }: { id: string } = JSON.parse(told[0] ?? "");
  for (let frame = 1; frame <= 100; frame++) expect(lines.isTooMany(socket)).toBe(false);
  const answer = { ok: true, state: "unknown", http_status: 200, snippet: "", rtt_ms: 5 } as const;
  lines.answered(socket, id, answer);
  expect(await asked).toEqual({ kind: "answered", answer });
  expect(lines.isTooMany(socket)).toBe(false);
  expect(lines.isTooMany(socket)).toBe(true);
  pass(10_000);
  expect(lines.isTooMany(socket)).toBe(false);
});
