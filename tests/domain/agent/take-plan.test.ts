import { expect, test } from "vitest";
import { takePlan } from "#domain/agent/take-plan";
import { aLamp, aPlan } from "./a-park";

const body = JSON.stringify(aPlan([aLamp("a")], 1_000, 7));
const taken = (isSigned: boolean, held: number | null) =>
  takePlan({ body, rev: 7, isSigned }, { agent: "a1", held }).ok;

test("a plan whose signature is not the city's is refused", () => {
  expect(taken(true, null)).toBe(true);
  expect(taken(false, null)).toBe(false);
});

test("the plan at hand is taken again, and none before it", () => {
  expect([6, 7, 8].map((held) => taken(true, held))).toEqual([true, true, false]);
});
