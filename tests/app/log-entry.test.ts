import { expect, test } from "vitest";
import { logEntry } from "#app/routes/history/log-entry";
import type { AuditLog } from "#domain/records/records";

const log: Omit<AuditLog, "details"> = {
  id: "1",
  created_at: "2026-11-20T20:00:00.000Z",
  actor_email: "max@parks.example",
  actor_role: "manager",
  action: "update",
  resource_type: "calendar",
  resource_id: "school",
};
const shown = (details: AuditLog["details"]) => logEntry({ ...log, details }).details;
const datesOf = (count: number) => Array.from({ length: count }, (_, n) => ({ date: `day ${n}`, name: "No school" }));

test("an entry shows its details as JSON, and a text as it is", () => {
  const details = { before: { name: "School", dates: datesOf(100) }, after: { name: "Schools", dates: datesOf(99) } };
  expect(JSON.parse(shown(details) ?? "")).toEqual(details);
  expect(shown("by hand")).toBe("by hand");
  expect(shown(null)).toBeNull();
});

test("of two thousand dates an entry shows those that were changed, and how many there are besides", () => {
  const before = { name: "School", dates: datesOf(2_000) };
  const after = { ...before, dates: before.dates.with(1_500, { date: "day 1500", name: "School" }) };
  expect(JSON.parse(shown({ before, after, by: "file" }) ?? "")).toEqual({
    before: { name: "School", dates: [before.dates[1_500], "and 1,999 more, which the export has"] },
    after: { name: "School", dates: [after.dates[1_500], "and 1,999 more, which the export has"] },
    by: "file",
  });
});

test("a long list that was made or deleted is shown from its beginning", () => {
  const dates = datesOf(2_000);
  expect(JSON.parse(shown({ after: { dates } }) ?? "")).toEqual({
    after: { dates: [...dates.slice(0, 100), "and 1,900 more, which the export has"] },
  });
});
