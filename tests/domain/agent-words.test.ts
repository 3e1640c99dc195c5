import { expect, test } from "vitest";
import { agentSentence, agentStanding, refusedPlanSentence } from "#domain/hubs/agent-words";

const zone = "America/Los_Angeles";
const now = Date.parse("2026-11-20T20:00:00.000Z");
const never = { status: "never" as const, revoked_at: null, connected_since: null, last_seen: null };
const said = (more: Partial<Parameters<typeof agentSentence>[0]>) => agentSentence({ ...never, ...more }, zone, now);

test("an agent's sentence says since when it is connected or away, as people count the days", () => {
  const online = { status: "online" as const, connected_since: "2026-11-20T16:14:00.000Z" };
  expect(said(online)).toBe("Connected since 8:14 AM");
  expect(said({ status: "offline", last_seen: "2026-11-20T04:14:00.000Z" })).toBe("Away since yesterday 8:14 PM");
  expect(said({ status: "offline", last_seen: "2026-11-02T04:14:00.000Z" })).toBe("Away since Nov 1, 8:14 PM");
  expect(said({ status: "offline" })).toBe("Away");
  expect(said({})).toBe("Never connected: install the program on a computer beside the hubs");
});

test("a revoked agent is revoked, whatever its last status was", () => {
  const revoked_at = "2026-11-20T19:00:00.000Z";
  for (const status of ["never", "online", "offline"] as const) {
    expect(agentStanding({ status, revoked_at })).toBe("revoked");
    expect(said({ status, revoked_at, connected_since: revoked_at })).toBe(
      "Revoked 11:00 AM: it cannot connect until it has a new secret",
    );
  }
  expect(agentStanding({ status: "online", revoked_at: null })).toBe("online");
});

test("an agent that refuses its plan says what that means, and why", () => {
  expect(refusedPlanSentence({ plan_refused: null })).toBeNull();
  expect(refusedPlanSentence({ plan_refused: "The agent's disk can't be written to" })).toBe(
    "It has not taken the city's latest plan, and would keep an older one if it were cut off: The agent's disk can't be written to",
  );
});
