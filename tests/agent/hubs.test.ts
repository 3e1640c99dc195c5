import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { fromAgent, MOST_FRAME_BYTES } from "#domain/agent/frames";
import { Hubs } from "#worker/agent/hubs";

function greetingOf(count: number, detail: string) {
  const hubs = new Hubs({ networks: [], hubs: {} });
  const ids = Array.from({ length: count }, () => randomUUID());
  const rest = { ip_address: "10.0.0.5", port: 1080, connection_mode: "local" as const, credentials: null };
  hubs.assign(ids.map((id, n) => ({ ...rest, id, name: `Hub ${n + 1}` })));
  for (const id of ids) hubs.answered(id, false, detail);
  const boot = randomUUID();
  const hello = { type: "hello", proto: [1, 1], agent: "1.0.0", boot, log_from: 1, plan_rev: 1, hubs: hubs.health };
  return { hello, ids };
}

test("an agent with hundreds of hubs that have said much greets the city so that it is let in", () => {
  const { hello, ids } = greetingOf(400, "光".repeat(200));
  expect(fromAgent.safeParse(hello).success).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(hello))).toBeLessThanOrEqual(MOST_FRAME_BYTES);
  expect(hello.hubs.map(({ id }) => id)).toEqual(ids.slice(0, hello.hubs.length));
});

test("how every hub was is told where a greeting holds it", () => {
  expect(greetingOf(400, "local: timed out").hello.hubs).toHaveLength(400);
});
