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
  vi.useFakeTimers();
  const slow = schedulerOf(engine({ toggle: never }), createExecutionContext()).toggle(request);
  await vi.advanceTimersByTimeAsync(9_500);
  expect(await slow).toEqual(trying);
  vi.useRealTimers();
});

test("a toggle at which the engine fails is asked for once more, and no toggle that it never took is told as tried", async () => {
  const { device_id, ...press } = request;
  const area = { ...press, device_ids: [device_id] };
  const replaced = () => Promise.reject(new Error("Durable Object reset because its code was updated."));
  const done = { success: true, action: "on", state: "on", provider: "mock", detail: null };
  const rows = [{ device_id, success: true, pending: false, detail: null }];
  const once = engine({
    toggle: vi.fn<() => Promise<unknown>>(replaced).mockImplementationOnce(replaced).mockResolvedValueOnce(done),
    toggleMany: vi.fn<() => Promise<unknown>>(replaced).mockImplementationOnce(replaced).mockResolvedValueOnce(rows),
  });
  const after = schedulerOf(once, createExecutionContext());
  expect(await after.toggle(request)).toEqual(done);
  expect(await after.toggleMany(area)).toEqual(rows);

  const [alone, many] = [vi.fn(replaced), vi.fn(replaced)];
  const gone = schedulerOf(engine({ toggle: alone, toggleMany: many }), createExecutionContext());
  await expect(gone.toggle(request)).rejects.toThrow("reset");
  await expect(gone.toggleMany(area)).rejects.toThrow("reset");
  expect([alone, many].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
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
