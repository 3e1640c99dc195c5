import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { schedulerOf } from "#worker/scheduler";
import { sweep } from "#worker/sweep";
import { anOrganization } from "../support/door";
import { aReport, engine } from "../support/fake-scheduler";

const request = {
  org_id: "city",
  device_id: "gate",
  action: "on",
  actor: { id: "ada", email: "ada@parks.example" },
} as const;
const never = () => new Promise<never>(() => undefined);

test("a hint that fails or hangs does not fail the person's request", async () => {
  const failing = schedulerOf(engine({ sync: () => Promise.reject(new Error("gone")) }), createExecutionContext());
  await expect(failing.sync("city")).resolves.toBeUndefined();

  vi.useFakeTimers();
  const hanging = schedulerOf(engine({ sync: never }), { waitUntil: () => undefined }).sync("city");
  await vi.advanceTimersByTimeAsync(2_000);
  await expect(hanging).resolves.toBeUndefined();
  vi.useRealTimers();
});

test("a toggle returns the engine's answer, or says before the deadline that it is still trying", async () => {
  const answer = { success: true, action: "on", state: "on", provider: "mock", detail: null };
  const asked = vi.fn(() => Promise.resolve(answer));
  expect(await schedulerOf(engine({ toggle: asked }), createExecutionContext()).toggle(request)).toEqual(answer);
  expect(asked).toHaveBeenCalledWith(request);

  const trying = {
    success: false,
    action: "on",
    state: "unknown",
    provider: null,
    detail: "No answer yet; still trying",
  };
  const broken = engine({ toggle: () => Promise.reject(new Error("reset")) });
  expect(await schedulerOf(broken, createExecutionContext()).toggle(request)).toEqual(trying);

  vi.useFakeTimers();
  const slow = schedulerOf(engine({ toggle: never }), createExecutionContext()).toggle(request);
  await vi.advanceTimersByTimeAsync(9_500);
  expect(await slow).toEqual(trying);
  vi.useRealTimers();
});

test("the sweep wakes every active organization, a few at a time, and a failing one stops no other", async () => {
  for (let i = 0; i < 20; i++) await anOrganization(`org-${i}`);
  await env.DB.prepare("UPDATE organizations SET active = 0 WHERE id = 'org-3'").run();
  const asked: unknown[] = [];
  let at_once = 0;
  let most = 0;
  const ensure = async (org_id: unknown) => {
    asked.push(org_id);
    most = Math.max(most, ++at_once);
    await new Promise((resolve) => setTimeout(resolve, 1));
    at_once -= 1;
    if (org_id === "org-0") throw new Error("broken");
    return aReport();
  };
  await sweep({ DB: env.DB, SCHEDULER: engine({ ensure }), DEADMAN_URL: "" });
  expect(asked).toHaveLength(19);
  expect(asked).not.toContain("org-3");
  expect(most).toBeLessThanOrEqual(6);
});
