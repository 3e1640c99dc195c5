import { DrizzleQueryError } from "drizzle-orm/errors";
import { afterEach, expect, test, vi } from "vitest";
import { handleError } from "#app/entry.server";
import { refused } from "#app/forms/form-answer";
import { deferred } from "#app/router/deferred";
import { backWith } from "#app/routes/session/back-with";
import { unanswered } from "#worker/services/scope";

const BROKEN = new DrizzleQueryError(
  "select * from users where email = ?",
  ["ada@parks.example"],
  new Error("D1 is away"),
);
const REQUEST = { request: new Request("https://lamplighter.example/"), context: JSON.parse("{}") };

afterEach(() => void vi.restoreAllMocks());

test.each<[string, () => unknown]>([
  ["an action", () => refused(BROKEN, "Failed to save")],
  ["a list that streams", () => deferred(Promise.reject(BROKEN))],
  ["a loader", () => handleError(BROKEN, REQUEST)],
  [
    "the engine",
    () =>
      Promise.resolve()
        .then(() => unanswered(BROKEN))
        .catch(() => undefined),
  ],
])("the failure of %s is one line of JSON, without the values that its query was bound to", async (_, fail) => {
  const lines = spied();
  await fail();
  const [line = "", ...others] = lines.map(String);
  expect(others).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({
    at: expect.any(String),
    level: expect.stringMatching(/warn|error/),
    event: expect.any(String),
    error: "Error: Failed query: select * from users where email = ?: D1 is away",
  });
  expect(line).not.toContain("ada");
});

test("an unknown address is logged by what the router says", () => {
  const lines = spied();
  const error = { status: 404, statusText: "Not Found", internal: true, data: 'Error: No route matches URL "/x"' };
  handleError(error, REQUEST);
  expect(lines.map((line) => JSON.parse(String(line)))).toMatchObject([{ error: error.data }]);
});

test("a request that was given up is not logged as a failure", () => {
  const lines = spied();
  const request = new Request("https://lamplighter.example/", { signal: AbortSignal.abort() });
  handleError(BROKEN, { ...REQUEST, request });
  expect(lines).toEqual([]);
});

test("a refused switch of organization is logged by its text", async () => {
  const lines = spied();
  await backWith("/dashboard", () => Promise.reject(new Response("Permission denied", { status: 403 })));
  expect(lines.map((line) => JSON.parse(String(line)))).toMatchObject([{ error: "Permission denied" }]);
});

function spied(): unknown[] {
  const lines: unknown[] = [];
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...said: unknown[]) => void lines.push(...said));
  return lines;
}
