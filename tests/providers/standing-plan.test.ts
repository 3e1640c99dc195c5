import fc from "fast-check";
import { expect, test } from "vitest";
import { MOST_FRAME_BYTES, toAgent } from "#domain/agent/frames";
import { joinPart, partsOf, type Parts } from "#domain/agent/plan-parts";
import { PLAN_LASTS_MS, takePlan } from "#domain/agent/take-plan";
import { isSigned, planKey } from "#durable/agents/plan-key";
import { aLamp, aPlan } from "#tests/domain/agent/a-park";

const MASTER = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const bytes = (text: string) => new TextEncoder().encode(text).length;
const ours = { agent: "a1", held: 6 };

/** Judges a plan as the agent does that was enrolled with the city's key. */
async function taken(body: string, sig: string, rev = 7) {
  const { public_key } = await planKey(MASTER, "city");
  return takePlan({ body, rev, isSigned: await isSigned(body, sig, public_key) }, ours);
}

const aBody = (over: Record<string, unknown> = {}) =>
  JSON.stringify({ ...aPlan([aLamp("a", { on: [[1_000, 2_000]] })], PLAN_LASTS_MS, 7), ...over });

test("a plan of the city is taken", async () => {
  const { sign } = await planKey(MASTER, "city");
  const body = aBody();
  expect(await taken(body, await sign(body))).toEqual({ ok: true, plan: JSON.parse(body) });
});

test("a plan with any character changed is refused", async () => {
  const { sign } = await planKey(MASTER, "city");
  const body = aBody();
  const sig = await sign(body);
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.string({ minLength: 1, maxLength: 1 }), async (at, char) => {
      fc.pre(body[at] !== char);
      expect((await taken(body.slice(0, at) + char + body.slice(at + 1), sig)).ok).toBe(false);
    }),
  );
});

test("a signature that is none, or of another city or secret, is refused", async () => {
  const body = aBody();
  const other = await planKey(MASTER, "another city");
  const older = await planKey("//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA=", "city");
  for (const sig of [await other.sign(body), await older.sign(body), "", "no signature", "AAAA"])
    expect(await taken(body, sig)).toEqual({ ok: false, why: expect.stringContaining("signature") });
});

test("the same secret makes the same key", async () => {
  const [first, second] = await Promise.all([planKey(MASTER, "city"), planKey(MASTER, "city")]);
  expect(first.public_key).toBe(second.public_key);
  expect(await isSigned("text", await first.sign("text"), second.public_key)).toBe(true);
});

test.each([
  ["older than the one it has", { rev: 5 }, 5, "older than 6"],
  ["announced as another", {}, 8, "revision"],
  ["for another agent", { agent: "a2" }, 7, "another agent"],
  ["of a schema that nobody knows yet", { schema: 2 }, 7, "schema 2"],
  ["that lasts for longer than two days", { expires: PLAN_LASTS_MS + 1 }, 7, "too long"],
  ["that is none", { lamps: "all" }, 7, "not one"],
])("a signed plan %s is refused", async (_, over, rev, why) => {
  const { sign } = await planKey(MASTER, "city");
  const body = aBody(over);
  expect(await taken(body, await sign(body), rev)).toEqual({ ok: false, why: expect.stringContaining(why) });
});

test("a plan of 500 lamps goes in parts below the limit of a frame, and is whole again", async () => {
  const spans = Array.from({ length: 12 }, (_, n): [number, number] => [n * 1e12, n * 1e12 + 5e11]);
  const lamps = Array.from({ length: 500 }, (_, n) => aLamp(`lamp-${n}-"ä\u0000"`, { on: spans, dark: spans }));
  const body = JSON.stringify(aPlan(lamps, PLAN_LASTS_MS, 7));
  const parts = partsOf({ rev: 7, body, sig: "signature" });
  let before: Parts | null = null;
  for (const [n, part] of parts.entries()) {
    const text = JSON.stringify(part);
    expect(bytes(text)).toBeLessThanOrEqual(MOST_FRAME_BYTES);
    expect(toAgent.safeParse(JSON.parse(text)).success).toBe(true);
    const joined = joinPart(before, part);
    before = joined.parts;
    expect(joined.whole).toEqual(n === parts.length - 1 ? { rev: 7, body, sig: "signature" } : null);
  }
});

test("any text survives its parts, also of the widest characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 30_000 }), (body) => {
      const parts = partsOf({ rev: 1, body, sig: "s" });
      let before: Parts | null = null;
      let whole: string | null = null;
      for (const part of parts) {
        const text = JSON.stringify(part);
        expect(bytes(text)).toBeLessThanOrEqual(MOST_FRAME_BYTES);
        const joined = joinPart(before, JSON.parse(text));
        before = joined.parts;
        whole = joined.whole?.body ?? whole;
      }
      expect(whole).toBe(body);
    }),
    { numRuns: 30 },
  );
});

test("parts of two plans never make one", () => {
  const first = partsOf({ rev: 1, body: "a".repeat(25_000), sig: "s1" });
  const second = partsOf({ rev: 2, body: "b".repeat(25_000), sig: "s2" });
  const feed = (all: typeof first) =>
    all.reduce<{ parts: Parts | null; wholes: number[] }>(
      ({ parts, wholes }, part) => {
        const joined = joinPart(parts, part);
        return { parts: joined.parts, wholes: joined.whole ? [...wholes, joined.whole.rev] : wholes };
      },
      { parts: null, wholes: [] },
    ).wholes;
  expect(feed([...first.slice(0, 2), ...second])).toEqual([2]);
  expect(feed([...first.slice(0, 2), ...second.slice(2)])).toEqual([]);
  expect(feed([...first.slice(0, 1), ...first])).toEqual([1]);
});
