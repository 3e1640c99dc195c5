import { expect, test } from "vitest";
import { afterVerification } from "#domain/resolve/retry";

const check = { action: "on" as const, attempt: 1, reading: "off" as const, backoffs_sec: [10, 30], now: 1_000_000 };

test("a reading that equals the action is ok, at whichever attempt", () => {
  expect(afterVerification({ ...check, reading: "on", attempt: 3 })).toEqual({ outcome: "ok" });
  expect(afterVerification({ ...check, action: "off" })).toEqual({ outcome: "ok" });
});

test("the n-th send is followed after the n-th backoff", () => {
  expect(afterVerification(check)).toEqual({ outcome: "retry", due_at: 1_010_000, note: "still off" });
  expect(afterVerification({ ...check, attempt: 2 })).toEqual({
    outcome: "retry",
    due_at: 1_030_000,
    note: "still off",
  });
});

test("with no backoff left it has failed, in the state that was read", () => {
  expect(afterVerification({ ...check, attempt: 3 })).toEqual({ outcome: "fail", state: "off", note: "still off" });
  expect(afterVerification({ ...check, backoffs_sec: [] }).outcome).toBe("fail");
});

test("no answer and an unknown state are retried, then fail with state unknown", () => {
  for (const reading of [null, "unknown"] as const) {
    expect(afterVerification({ ...check, reading })).toMatchObject({ outcome: "retry", note: "not confirmed" });
    expect(afterVerification({ ...check, reading, attempt: 3 })).toEqual({
      outcome: "fail",
      state: "unknown",
      note: "not confirmed",
    });
  }
});
