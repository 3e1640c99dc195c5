import { expect, test } from "vitest";
import { spanWords } from "#domain/time/span-words";

const LA = "America/Los_Angeles";
const now = Date.parse("2026-11-26T20:00:00Z");

test("a span names the end's day where it is another, and its year where the span is about that long", () => {
  const from = "2026-11-28T03:30:00Z";
  expect(spanWords({ from, to: "2026-11-28T07:30:00Z" }, LA, now)).toBe("Fri, Nov 27, 7:30 PM to 11:30 PM");
  expect(spanWords({ from, to: "2027-04-01T07:00:00Z" }, LA, now)).toBe("Fri, Nov 27, 7:30 PM to Thu, Apr 1, 12:00 AM");
  expect(spanWords({ from, to: "2028-04-01T07:00:00Z" }, LA, now)).toBe(
    "Fri, Nov 27, 7:30 PM to Sat, Apr 1, 2028, 12:00 AM",
  );
  // The same day and month, a year later.
  expect(spanWords({ from, to: "2027-11-28T07:30:00Z" }, LA, now)).toBe(
    "Fri, Nov 27, 7:30 PM to Sat, Nov 27, 2027, 11:30 PM",
  );
  expect(spanWords({ from, to: null }, LA, now)).toBe("From Fri, Nov 27, 7:30 PM until reopened");
});

test("a day that is a year away has its year, be it the start of what was never reopened", () => {
  expect(spanWords({ from: "2024-11-28T03:30:00Z", to: null }, LA, now)).toBe(
    "From Wed, Nov 27, 2024, 7:30 PM until reopened",
  );
  expect(spanWords({ from: "2024-11-28T03:30:00Z", to: "2024-11-28T07:30:00Z" }, LA, now)).toBe(
    "Wed, Nov 27, 2024, 7:30 PM to 11:30 PM",
  );
  expect(spanWords({ from: "2024-11-28T03:30:00Z", to: "2024-11-30T07:30:00Z" }, LA, now)).toBe(
    "Wed, Nov 27, 2024, 7:30 PM to Fri, Nov 29, 2024, 11:30 PM",
  );
});
