import fc from "fast-check";
import { expect, test } from "vitest";
import { draftOf, timesOf } from "#app/routes/schedules/draft";
import { TIMEZONES } from "#domain/enums";
import { describeRule } from "#domain/schedule/describe-rule";
import { lightlessProblem, withFirstNight } from "#domain/schedule/first-night";
import { occurrences } from "#domain/schedule/recurrence";
import { runsHere } from "#tests/domain/runs";
import { NIGHTS, somePlannedNights, someSchedule } from "#tests/domain/some-schedule";
import { aSchedule } from "./a-schedule";

const DAY = 86_400_000;
const anywhere = fc.oneof(
  someSchedule.map((schedule) => ({ ...schedule, start_sun: null, end_sun: null, positions: [] })),
  somePlannedNights.map(({ schedule: { start_sun = null, end_sun = null, positions = [], ...schedule } }) => {
    return { ...schedule, start_sun, end_sun, positions: positions.slice(0, 1) };
  }),
);

test("who opens a schedule and saves it as it is changes none of its nights, wherever and whenever that is", () => {
  fc.assert(
    fc.property(anywhere, fc.constantFrom(...NIGHTS), ({ positions, ...times }, night) => {
      const stored = withFirstNight({ ...times, skips: null, calendar: null, positions });
      const zone = TIMEZONES.find((each) => each === stored.timezone);
      fc.pre(zone !== undefined && lightlessProblem(stored) === null);
      const { start_at, end_at } = stored;
      // A form has no words for the second of two like hours.
      const sent = timesOf(draftOf(aSchedule({ ...times, start_at, end_at, timezone: zone }), zone), zone);
      const saved = withFirstNight({ ...stored, ...sent, rrule: sent.rrule || null }, stored);
      const nights = (schedule: typeof stored) => occurrences(schedule, night - 150 * DAY, night + 150 * DAY);
      expect(nights(saved)).toEqual(nights(stored));
      expect(describeRule(saved)).toBe(describeRule(stored));
    }),
    { numRuns: runsHere(200) },
  );
});
