import { expect, test } from "vitest";
import { CONNECTIONS_EACH, postByRunners, RUNNERS } from "#durable/providers/runners";
import type { Reply } from "#durable/providers/http-post";
import type { ProviderResult } from "#durable/providers/provider";
import type { DeviceState } from "#domain/enums";
import { inWorld } from "#tests/support/engine";
import { aField, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const HUB_MS = 400;
/** Of 1,000 subrequests an event, and three for each call at most. */
const MOST_IN_AN_EVENT = 300;

const numbers = (n: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n})`;

/** So many lights on hubs of one's own, five a hub, all due at 18:00. */
async function aCityAtDusk(org_id: string, lights: number): Promise<void> {
  await aField(org_id, []);
  await setting(org_id, "PROVIDER_MODE", "local").run();
  const hubs = Math.ceil(lights / 5);
  for (const statement of [
    `${numbers(hubs)} INSERT INTO hubs (id, org_id, area_id, name) SELECT '${org_id}-h' || i, '${org_id}', '${org_id}-area', 'Hub' FROM n`,
    `${numbers(lights)} INSERT INTO devices (id, org_id, area_id, hub_id, name)
       SELECT '${org_id}-l' || i, '${org_id}', '${org_id}-area', '${org_id}-h' || (i % ${hubs} + 1), 'Light ' || i FROM n`,
    `${numbers(lights)} INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, timezone)
       SELECT '${org_id}-s' || i, '${org_id}', '${org_id}-l' || i, 'Evening', '2026-06-10T18:00:00.000Z', '2026-06-10T20:00:00.000Z', 'UTC' FROM n`,
  ])
    await sql(statement).run();
}

/** What the calls of a dusk come to, with so many lights and runners. */
async function aDusk(org_id: string, lights: number, runners: number) {
  await aCityAtDusk(org_id, lights);
  const lit = new Map<string, number>();
  const calls = { inEvent: 0, mostInEvent: 0, atOnce: 0, mostAtOnce: 0 };
  await inWorld(org_id, at("17:59:00"), async (world) => {
    world.context.connections = CONNECTIONS_EACH;
    world.context.runners = runners;
    world.watch = { ...world.watch, acts: () => (calls.inEvent = 0) };
    const answered = async (state: DeviceState): Promise<ProviderResult> => {
      calls.inEvent += 1;
      calls.atOnce += 1;
      calls.mostInEvent = Math.max(calls.mostInEvent, calls.inEvent);
      calls.mostAtOnce = Math.max(calls.mostAtOnce, calls.atOnce);
      await new Promise<void>((done) => world.context.after(HUB_MS, done));
      calls.atOnce -= 1;
      return { ok: true, state, provider: "local", rtt_ms: HUB_MS, http_status: 200, snippet: "" };
    };
    world.wrapProvider(() => ({
      switch: async ({ lamp }, action) => {
        const answer = await answered(action);
        lit.set(lamp, world.now);
        return answer;
      },
      read: () => answered("on"),
    }));
    await world.sync();
    await world.to(at("18:01:00"));
  });
  return { lit: lit.size, took_ms: Math.max(...lit.values()) - Date.parse(at("18:00:00")), ...calls };
}

test("ten thousand switches of 0.4 s finish within a minute: a runner does its share of them", async () => {
  const { lit, mostAtOnce } = await aDusk("dusk", Math.ceil(10_000 / RUNNERS), 1);
  expect(lit).toBe(313);
  expect(mostAtOnce).toBe(CONNECTIONS_EACH);
});

test("a hundred lights over six connections wait for nothing but their hubs", async () => {
  const { lit, took_ms } = await aDusk("rounds", 100, 1);
  expect(lit).toBe(100);
  expect(took_ms).toBe(Math.ceil(100 / CONNECTIONS_EACH) * HUB_MS);
});

test("no event makes more calls than the platform allows: the next alarm has its own", async () => {
  const { lit, mostInEvent } = await aDusk("event", 400, RUNNERS);
  expect(lit).toBe(400);
  expect(mostInEvent).toBe(MOST_IN_AN_EVENT);
});

test("no runner has more connections than an event may open, while no more posts are made than all have", async () => {
  const answers: (() => void)[] = [];
  const underWay = new Map<number, number>();
  const ok: Reply = { ok: true, status: 200, text: "" };
  const post = postByRunners(
    (n) => ({
      post: async () => {
        underWay.set(n, (underWay.get(n) ?? 0) + 1);
        await new Promise<void>((done) => answers.push(done));
        underWay.set(n, (underWay.get(n) ?? 0) - 1);
        return ok;
      },
    }),
    4,
  );
  const request = { url: "http://hub.example", headers: {}, body: "" };
  const posted = Array.from({ length: 4 * CONNECTIONS_EACH }, () => post(request, { timeout_ms: 1, max_bytes: 1 }));
  expect([...underWay.values()]).toEqual([6, 6, 6, 6]);
  for (const answer of answers.splice(0)) answer();
  expect(await Promise.all(posted)).toEqual(posted.map(() => ok));
});

test("what a runner that breaks off has posted may have been done", async () => {
  const post = postByRunners(() => ({ post: () => Promise.reject(new Error("the runner is gone")) }));
  const reply = await post({ url: "http://hub.example", headers: {}, body: "" }, { timeout_ms: 1, max_bytes: 1 });
  expect(reply).toMatchObject({ ok: false, failure: "lost" });
});
