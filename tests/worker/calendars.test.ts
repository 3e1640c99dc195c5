import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { calendarHandlers } from "#app/routes/settings/calendar-handlers";
import { database } from "#db/database";
import * as t from "#db/schema";
import { datesInFile } from "#worker/services/calendar-file";
import { as, at, audits, servicesOf } from "../support/api";
import { seedCity } from "../support/city";
import { interruptedBy } from "../support/interrupted";

const db = database(env.DB);
const manager = as("manager");
const holiday = { date: "2026-12-25", name: "Christmas" };

beforeAll(seedCity);
beforeEach(async () => {
  await db.delete(t.schedules);
  await db.delete(t.calendars);
});

async function aCalendar(): Promise<string> {
  return (await manager.post("/calendars", { name: "Holidays", dates: [holiday] })).json.data.id;
}

const ics = (...events: string[][]) =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    ...events.flatMap((e) => ["BEGIN:VEVENT", ...e, "END:VEVENT"]),
    "END:VCALENDAR",
  ].join("\r\n");
const CARD = ["BEGIN:VCARD", "VERSION:4.0", "FN:Ada", "END:VCARD"].join("\r\n");
const upload = (id: string, text: string) =>
  manager.call("POST", `/calendars/${id}/import`, text, { "Content-Type": "text/calendar; charset=utf-8" });

test("a calendar is made, listed by name, changed and deleted, with an audit entry each", async () => {
  const dates = [holiday, { date: "2026-11-26", name: "Thanksgiving" }, { date: "2026-12-25" }];
  const made = await manager.post("/calendars", { name: "Holidays", dates });
  expect(made.status).toBe(201);
  expect(made.json.data).toMatchObject({ version: 1, name: "Holidays", dates: [dates[1], holiday] });
  const { id } = made.json.data;
  expect((await as("employee").get("/calendars")).json.data).toEqual([made.json.data]);
  const changed = await manager.put(`/calendars/${id}`, { name: "School", dates: [holiday] }, 1);
  expect(changed.json.data).toMatchObject({ version: 2, name: "School", dates: [holiday] });
  expect((await manager.put(`/calendars/${id}`, { name: "School", dates: [holiday] }, 1)).status).toBe(409);
  expect((await manager.remove(`/calendars/${id}`)).json).toEqual({ success: true });
  expect((await manager.get("/calendars")).json.data).toEqual([]);
  const told = (await audits()).filter(({ resource_type }) => resource_type === "calendar");
  expect(told.map(({ action }) => action).toSorted()).toEqual(["create", "delete", "update"]);
});

test.each([
  [{ name: "", dates: [holiday] }, "Calendar name is required"],
  [{ name: "Holidays" }, "A calendar needs at least one date"],
  [{ name: "Holidays", dates: [] }, "A calendar needs at least one date"],
  [{ name: "Holidays", dates: [{ date: "2026-02-30" }] }, "A date must be a date, as in 2026-12-24"],
  [
    { name: "Holidays", dates: Array.from({ length: 2_001 }, () => holiday) },
    "A calendar may have at most 2,000 dates",
  ],
])("refuses %j: '%s'", async (input, detail) => {
  expect(await manager.post("/calendars", input)).toMatchObject({ status: 422, json: { detail } });
  expect(await db.select().from(t.calendars)).toEqual([]);
});

test("a file fills a calendar up to as many dates as it may have, and those that it has count once", async () => {
  const date = (n: number) => new Date(Date.parse("2027-01-01") + n * 86_400_000).toISOString().slice(0, 10);
  const dates = Array.from({ length: 1_999 }, (_, n) => ({ date: date(n), name: "" }));
  const { id } = (await manager.post("/calendars", { name: "Long", dates })).json.data;
  const event = (n: number) => [`DTSTART;VALUE=DATE:${date(n).replaceAll("-", "")}`, "SUMMARY:More"];
  expect((await upload(id, ics(event(0), event(1_999)))).json.data.dates).toHaveLength(2_000);
  const { status, json } = await upload(id, ics(event(2_000)));
  expect([status, json.errors]).toEqual([422, { ics: "A calendar may have at most 2,000 dates" }]);
});

test("a calendar has no more names than can be changed again, whatever their letters", async () => {
  const id = await aCalendar();
  const repeated = (days: number, name: string) =>
    ics([
      `DTSTART;VALUE=DATE:${at(0).slice(0, 10).replaceAll("-", "")}`,
      `RRULE:FREQ=DAILY;COUNT=${days}`,
      `SUMMARY:${name.repeat(200)}`,
    ]);
  expect(await upload(id, repeated(1_002, "光"))).toMatchObject({
    status: 422,
    json: { errors: { ics: "The names of a calendar's dates may have at most 200,000 characters together" } },
  });
  const { name, dates } = (await upload(id, repeated(1_000, "光"))).json.data;
  expect(dates).toHaveLength(1_000);
  expect((await upload(id, ics(["DTSTART;VALUE=DATE:20400101", "SUMMARY:Later"]))).json.data.dates).toHaveLength(1_001);
  const other = dates.map(({ date }: typeof holiday) => ({ date, name: "園".repeat(200) }));
  expect(await manager.put(`/calendars/${id}`, { name, dates: other })).toMatchObject({ status: 200 });
  const more = [...other, { date: "2040-01-01", name: "x" }];
  expect((await manager.put(`/calendars/${id}`, { name, dates: more })).json.errors).toEqual({
    dates: "The names of a calendar's dates may have at most 200,000 characters together",
  });
  expect((await manager.remove(`/calendars/${id}`)).status).toBe(200);
});

test("a calendar that is changed, filled from a file or deleted leaves the others as they are", async () => {
  const make = async (name: string) =>
    (await manager.post("/calendars", { name, dates: [{ date: "2026-12-24", name }] })).json.data;
  const [one, other] = [await make("One"), await make("Other")];
  await manager.put(`/calendars/${one.id}`, { name: "Renamed", dates: [{ date: "2026-12-25", name: "" }] });
  await manager.remove(`/calendars/${one.id}`);
  const left = (await manager.get("/calendars")).json.data;
  await manager.remove(`/calendars/${other.id}`);
  expect(left).toEqual([other]);
});

test("a file adds its dates: of several days, repeated ones, and those with times by the city's clock", async () => {
  const id = await aCalendar();
  const text = ics(
    ["UID:1", "DTSTART;VALUE=DATE:20261126", "DTEND;VALUE=DATE:20261128", "SUMMARY:Thanksgiving"],
    ["UID:2", "DTSTART:20261202T060000Z", "DTEND:20261202T070000Z", "SUMMARY:Late in Los Angeles"],
    [
      "UID:3",
      "DTSTART;VALUE=DATE:20200704",
      "RRULE:FREQ=YEARLY",
      "EXDATE;VALUE=DATE:20280704",
      "SUMMARY:Fourth of July",
    ],
    ["UID:4", "DTSTART;VALUE=DATE:20261231", "STATUS:CANCELLED", "SUMMARY:Fireworks"],
    ["UID:5", "DTSTART:20261210T180000", "DTEND:20261211T000000", "SUMMARY:Gala"],
  );
  const { status, json } = await upload(id, text);
  expect(status).toBe(200);
  expect(json.data.dates.map(({ date }: { date: string }) => date)).toEqual([
    "2026-07-04",
    "2026-11-26",
    "2026-11-27",
    "2026-12-01",
    "2026-12-10",
    "2026-12-25",
    "2027-07-04",
    "2029-07-04",
    "2030-07-04",
    "2031-07-04",
  ]);
  expect(json.data.dates[1]).toEqual({ date: "2026-11-26", name: "Thanksgiving" });
});

test("two files that are imported at the same moment, or into a calendar that has changed, lose no dates", async () => {
  const id = await aCalendar();
  const [one, other] = ["20270101", "20270704"].map((day) => ics(["UID:1", `DTSTART;VALUE=DATE:${day}`]));
  const answers = await Promise.all([upload(id, one ?? ""), upload(id, other ?? "")]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const again = answers[0]?.status === 200 ? other : one;
  expect(
    (await manager.call("POST", `/calendars/${id}/import`, again, { "Content-Type": "text/calendar", "If-Match": "1" }))
      .status,
  ).toBe(409);
  expect((await upload(id, again ?? "")).json.data.dates).toHaveLength(3);
});

test("an event that has repeated for twenty years has its dates of the next five", async () => {
  const id = await aCalendar();
  const text = ics(
    ["UID:1", "DTSTART;VALUE=DATE:20060102", "RRULE:FREQ=WEEKLY;BYDAY=MO", "SUMMARY:Closed on Mondays"],
    ["UID:2", "DTSTART;VALUE=DATE:20200101", "RRULE:FREQ=DAILY;UNTIL=20260901", "SUMMARY:Works"],
  );
  const { status, json } = await upload(id, text);
  expect(status).toBe(200);
  const dates = json.data.dates.map(({ date }: { date: string }) => date);
  expect(dates).toEqual(expect.arrayContaining(["2026-07-06", "2026-08-31", "2026-09-01", "2031-05-26"]));
  expect(dates).not.toContain("2026-09-02");
});

test("a changed time of a repeated event that the file does not have counts as it is", async () => {
  const id = await aCalendar();
  const text = ics(
    ["UID:1", "RECURRENCE-ID:20270112T020000Z", "DTSTART:20270113T020000Z", "SUMMARY:Choir moved"],
    ["UID:1", "RECURRENCE-ID:20270119T020000Z", "DTSTART:20270119T020000Z", "STATUS:CANCELLED"],
  );
  const { dates } = (await upload(id, text)).json.data;
  expect(dates.map(({ date, name }: { date: string; name: string }) => `${date} ${name}`.trim())).toEqual([
    "2026-12-25 Christmas",
    "2027-01-12 Choir moved",
  ]);
});

test("a repeated event's time that is canceled without saying when it begins is left out", async () => {
  const id = await aCalendar();
  const text = ics(
    ["UID:1", "DTSTART:20270105T190000", "RRULE:FREQ=WEEKLY;COUNT=4"],
    ["UID:1", "RECURRENCE-ID:20270112T190000", "STATUS:CANCELLED"],
    ["UID:1", "RECURRENCE-ID:20270119T190000", "SUMMARY:Choir"],
    ["UID:2", "RECURRENCE-ID:20270203T190000", "STATUS:CANCELLED"],
    ["UID:3", "SUMMARY:Some day"],
    ["UID:3", "RECURRENCE-ID:20270210T190000", "DTSTART:20270211T190000"],
  );
  const { dates } = (await upload(id, text)).json.data;
  expect(dates.map(({ date }: { date: string }) => date)).toEqual([
    "2026-12-25",
    "2027-01-05",
    "2027-01-19",
    "2027-01-26",
    "2027-02-11",
  ]);
});

test("a file of several calendars has the dates of each, to the minute and second", async () => {
  const id = await aCalendar();
  const of = ["RSCALE=GREGORIAN;FREQ=DAILY;COUNT=2", "FREQ=YEARLY;RSCALE=GREGORIAN;COUNT=1"];
  const text = [
    ics(["UID:1", "DTSTART;VALUE=DATE:20270101"]),
    ics(["UID:2", "DTSTART:20270203T083000Z"], ["UID:3", "DTSTART:20270303T080030Z"]),
    ics(...of.map((rule, n) => [`UID:rule ${n}`, `DTSTART;VALUE=DATE:20270${n + 4}01`, `RRULE:${rule}`])),
  ].join("\r\n");
  const { dates } = (await upload(id, text)).json.data;
  expect(dates.map(({ date }: { date: string }) => date)).toEqual([
    "2026-12-25",
    "2027-01-01",
    "2027-02-03",
    "2027-03-03",
    "2027-04-01",
    "2027-04-02",
    "2027-05-01",
  ]);
});

test("a repeated event's times are moved, canceled, added and ended by the entries of their own", async () => {
  const id = await aCalendar();
  const text = ics(
    ["UID:1", "DTSTART:20270105T020000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=4;BYHOUR=2", "SUMMARY:Choir"],
    ["UID:1", "RECURRENCE-ID:20270112T020000Z", "DTSTART:20270113T020000Z", "SUMMARY:Choir moved"],
    ["UID:1", "RECURRENCE-ID:20270119T020000Z", "DTSTART:20270119T020000Z", "STATUS:CANCELLED"],
    ["UID:2", "DTSTART:20270301T190000", "RRULE:FREQ=DAILY;UNTIL=20270304T025959Z", "RDATE:20270401T190000"],
    ["UID:3", "DTSTART;VALUE=DATE:20270501", "RDATE;VALUE=DATE:20270503", "EXDATE:20270501T000000Z"],
    ["UID:4", "DTSTART:20270601T190000", "RRULE:FREQ=DAILY;UNTIL=20270603T185959"],
  );
  const { dates } = (await upload(id, text)).json.data;
  expect(dates.map(({ date, name }: { date: string; name: string }) => `${date} ${name}`.trim())).toEqual([
    "2026-12-25 Christmas",
    "2027-01-04 Choir",
    "2027-01-12 Choir moved",
    "2027-01-25 Choir",
    "2027-03-01",
    "2027-03-02",
    "2027-03-03",
    "2027-04-01",
    "2027-05-03",
    "2027-06-01",
    "2027-06-02",
  ]);
});

test("a time in UTC that is left out, moved or the last of an event has the date that the event's own clock gives it", async () => {
  const id = await aCalendar();
  const text = ics(
    // By the city's clocks, which are those of Los Angeles, midnight in UTC is the day before.
    ["UID:1", "DTSTART;VALUE=DATE:20270105", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Fair"],
    ["UID:1", "RECURRENCE-ID:20270106T000000Z", "DTSTART;VALUE=DATE:20270120", "SUMMARY:Fair moved"],
    // 1 AM in New York is 10 PM of the day before in Los Angeles.
    [
      "UID:2",
      "DTSTART;TZID=America/New_York:20270201T010000",
      "RRULE:FREQ=DAILY;UNTIL=20270204T060000Z",
      "EXDATE:20270202T060000Z",
      "SUMMARY:Watch",
    ],
    ["UID:3", "DTSTART;TZID=Own:20270301T190000", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20270303T030000Z"],
  );
  const { dates } = (await upload(id, text)).json.data;
  expect(dates.map(({ date, name }: { date: string; name: string }) => `${date} ${name}`.trim())).toEqual([
    "2026-12-25 Christmas",
    "2027-01-05 Fair",
    "2027-01-07 Fair",
    "2027-01-20 Fair moved",
    "2027-02-01 Watch",
    "2027-02-03 Watch",
    "2027-02-04 Watch",
    "2027-03-01",
    "2027-03-03",
  ]);
});

test("a time in UTC that is added, or that an event lasts until, has the date that the event's own clock gives it", async () => {
  const id = await aCalendar();
  const text = ics(
    // 9 PM in New York, which is the next day in UTC, and 6 PM in Los Angeles.
    ["DTSTART;TZID=America/New_York:20270105T210000", "RDATE:20270112T020000Z", "SUMMARY:Concert"],
    // Until 1 AM in New York, which is 10 PM of the day before in Los Angeles.
    ["DTSTART;TZID=America/New_York:20270201T200000", "DTEND:20270202T060000Z", "SUMMARY:Watch"],
    ["DTSTART:20270301T060000Z", "RDATE:20270303T060000Z", "SUMMARY:Late"],
    // An all-day event's end that is written as the city's midnight is none of another day.
    ["DTSTART;VALUE=DATE:20270401", "DTEND:20270402T070000Z", "SUMMARY:Fair"],
  );
  const { dates } = (await upload(id, text)).json.data;
  expect(dates.map(({ date, name }: { date: string; name: string }) => `${date} ${name}`)).toEqual([
    "2026-12-25 Christmas",
    "2027-01-05 Concert",
    "2027-01-11 Concert",
    "2027-02-01 Watch",
    "2027-02-02 Watch",
    "2027-02-28 Late",
    "2027-03-02 Late",
    "2027-04-01 Fair",
  ]);
});

test("a time that is left out, moved, added or the end by the clock of another zone has the date by the event's own clock", async () => {
  const id = await aCalendar();
  const text = ics(
    // 1 AM in New York is 10 PM of the day before in Los Angeles.
    [
      "UID:1",
      "DTSTART;TZID=America/Los_Angeles:20270104T220000",
      "RRULE:FREQ=DAILY;COUNT=3",
      "RDATE;TZID=America/New_York:20270111T010000",
      "EXDATE;TZID=America/New_York:20270106T010000",
      "SUMMARY:Choir",
    ],
    [
      "UID:1",
      "RECURRENCE-ID;TZID=America/New_York:20270107T010000",
      "DTSTART;TZID=America/New_York:20270121T190000",
      "SUMMARY:Choir moved",
    ],
    // Until 1 AM in New York, which is 10 PM of the same day in Los Angeles.
    [
      "DTSTART;TZID=America/Los_Angeles:20270201T200000",
      "DTEND;TZID=America/New_York:20270202T010000",
      "SUMMARY:Watch",
    ],
    [
      "DTSTART:20270302T060000Z",
      "RRULE:FREQ=DAILY;COUNT=2",
      "EXDATE;TZID=America/New_York:20270302T010000",
      "SUMMARY:Late",
    ],
    // What is written beside an all-day event, or one whose own clock is not known, is of the date that it says.
    [
      "DTSTART;VALUE=DATE:20270401",
      "RRULE:FREQ=DAILY;COUNT=2",
      "EXDATE;TZID=Asia/Tokyo:20270402T000000",
      "SUMMARY:Fair",
    ],
    [
      "DTSTART:20270501T010000",
      "RRULE:FREQ=DAILY;COUNT=2",
      "EXDATE;TZID=America/New_York:20270502T010000",
      "SUMMARY:Run",
    ],
  );
  const { dates } = (await upload(id, text)).json.data;
  expect(dates.map(({ date, name }: { date: string; name: string }) => `${date} ${name}`)).toEqual([
    "2026-12-25 Christmas",
    "2027-01-04 Choir",
    "2027-01-10 Choir",
    "2027-01-21 Choir moved",
    "2027-02-01 Watch",
    "2027-03-02 Late",
    "2027-04-01 Fair",
    "2027-05-01 Run",
  ]);
});

test("what a zone is called is asked for once, however many times and events of a file name it", () => {
  const made = vi.spyOn(Intl, "DateTimeFormat");
  onTestFinished(() => void made.mockRestore());
  const zone = "America/Chicago";
  const time = (n: number) => `TZID=${zone}:202701${String(n + 1).padStart(2, "0")}T190000`;
  const days = Array.from({ length: 30 }, (_, n) => n);
  const events = days.map((n) => ["UID:1", `DTSTART;${time(n)}`, `DTEND;${time(n)}`, "RRULE:FREQ=DAILY;COUNT=2"]);
  const changes = days.map((n) => ["UID:1", `RECURRENCE-ID;${time(n)}`, "STATUS:CANCELLED", `DTSTART;${time(n)}`]);
  const left = ["UID:2", `DTSTART;${time(0)}`, "RRULE:FREQ=DAILY;COUNT=2", ...days.map((n) => `EXDATE;${time(n + 1)}`)];
  expect(datesInFile(ics(...events, ...changes, left), "UTC", Date.parse("2026-11-30"))).toHaveLength(2);
  expect(made.mock.calls.filter(([, options]) => options?.timeZone === zone).length).toBeLessThan(10);
});

test("joiners and marks of direction stay in a date's name, and a name of nothing else is none", async () => {
  const id = await aCalendar();
  const names = ["👩\u200d🌾 Farm day", "می\u200cخواهم \u200fשלום", "\u200b\u200d"];
  const text = ics(...names.map((name, n) => [`UID:${n}`, `DTSTART;VALUE=DATE:2027010${n + 1}`, `SUMMARY:${name}`]));
  const { dates } = (await upload(id, text)).json.data;
  expect(dates.slice(1).map(({ name }: { name: string }) => name)).toEqual([names[0], names[1], ""]);
});

test("a file whose letters would be garbled is told, by the API and by the screen", async () => {
  const id = await aCalendar();
  const bytes = Uint8Array.from(ics(["UID:1", "DTSTART;VALUE=DATE:20270101", "SUMMARY:Año Nuevo"]), (letter) =>
    letter.charCodeAt(0),
  );
  const detail =
    "This file is not in UTF-8, so letters such as 'é' would be garbled. Save it in UTF-8 and choose that file";
  const type = { "Content-Type": "text/calendar" };
  expect(await manager.call("POST", `/calendars/${id}/import`, bytes.buffer, type)).toEqual({
    status: 422,
    json: { detail, errors: { ics: detail } },
  });
  const form = new FormData();
  form.set("id", id);
  form.set("ics", new File([bytes], "holidays.ics"));
  await expect(calendarHandlers(servicesOf("manager"), form)["import_calendar"]?.run()).rejects.toThrow(detail);
  expect((await manager.get("/calendars")).json.data[0].dates).toEqual([holiday]);
});

test("a request that is not in UTF-8 is refused, and its letters are not garbled", async () => {
  const bytes = Uint8Array.from('{"name":"Año","dates":[{"date":"2026-12-25"}]}', (letter) => letter.charCodeAt(0));
  expect(await manager.call("POST", "/calendars", bytes.buffer)).toEqual({
    status: 400,
    json: { detail: "The request body is not valid JSON" },
  });
  expect(await db.select().from(t.calendars)).toEqual([]);
});

test("a file that begins with a byte order mark is read, also as JSON", async () => {
  const id = await aCalendar();
  const text = `\uFEFF${ics(["UID:1", "DTSTART;VALUE=DATE:20270101"])}`;
  expect((await manager.post(`/calendars/${id}/import`, { ics: text })).json.data.dates).toHaveLength(2);
  expect((await upload(id, text)).status).toBe(200);
});

test("a rule that ends a second before a time by the event's own clock does not have that time", async () => {
  const id = await aCalendar();
  const text = ics(
    // As calendars write 'this and all following' that were moved elsewhere: the last is on January 7.
    ["DTSTART;TZID=America/New_York:20270105T220000", "RRULE:FREQ=DAILY;UNTIL=20270109T025959Z", "SUMMARY:Game"],
    // Whose clock is not known is by dates alone.
    ["DTSTART;TZID=Own:20270201T220000", "RRULE:FREQ=DAILY;UNTIL=20270203T230000Z", "SUMMARY:Fair"],
  );
  const { dates } = (await upload(id, text)).json.data;
  expect(dates.map(({ date, name }: { date: string; name: string }) => `${date} ${name}`)).toEqual([
    "2026-12-25 Christmas",
    "2027-01-05 Game",
    "2027-01-06 Game",
    "2027-01-07 Game",
    "2027-02-01 Fair",
    "2027-02-02 Fair",
    "2027-02-03 Fair",
  ]);
});

test("a file of many rules that never come, or of times in a zone that changes so, is answered at once", async () => {
  const id = await aCalendar();
  const never = "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30";
  const zone = [
    "BEGIN:STANDARD",
    "DTSTART:00010101T000000",
    `RRULE:${never}`,
    "TZOFFSETFROM:-0700",
    "TZOFFSETTO:-0800",
  ];
  const vtimezone = ["BEGIN:VTIMEZONE", "TZID:Own", ...zone, "END:STANDARD", "END:VTIMEZONE"].join("\r\n");
  const own = ics(["UID:1", "DTSTART;TZID=Own:20270101T090000", "RRULE:FREQ=YEARLY"]);
  const began = performance.now();
  expect((await upload(id, own.replace("BEGIN:VEVENT", `${vtimezone}\r\nBEGIN:VEVENT`))).status).toBe(200);
  const many = Array.from({ length: 1_500 }, (_, n) => [`UID:${n}`, "DTSTART;VALUE=DATE:00010101", `RRULE:${never}`]);
  expect(await upload(id, ics(...many))).toMatchObject({
    status: 422,
    json: { detail: "The events of this calendar file repeat too often" },
  });
  expect(performance.now() - began).toBeLessThan(5_000);
});

test.each([
  [
    "<!DOCTYPE html><html><body>Sign in</body></html>",
    "This is a web page, not a calendar file. Download the file that ends in .ics",
  ],
  ["hello", "This is not a calendar file (.ics)"],
  [CARD, "This is not a calendar file (.ics)"],
  [`${ics(["UID:1", "DTSTART;VALUE=DATE:20260217"])}\r\n${CARD}`, "This is not a calendar file (.ics)"],
  [ics(), "This calendar file has no dates"],
  [
    ics(["UID:1", "DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "SUMMARY:Tick"]),
    "The events of this calendar file repeat too often",
  ],
  [
    ics(["UID:1", "DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "SUMMARY:Tick"]),
    "This calendar file has no dates",
  ],
  [
    ics(["UID:1", "DTSTART:20260101T090000", "RRULE:FREQ=DAILY;BYHOUR=9,17", "SUMMARY:Tick"]),
    "How 'Tick' repeats cannot be read from this calendar file",
  ],
  ...["RRULE:RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1", "RRULE:FREQ=WEEKLY; COUNT=3"].map((rule) => [
    ics(["UID:1", "DTSTART;VALUE=DATE:20260217", rule, "SUMMARY:Tick"]),
    "How 'Tick' repeats cannot be read from this calendar file",
  ]),
  [
    ics(["UID:1", "DTSTART;VALUE=DATE:20260217", "RRULE:FREQ=DAILY;COUNT=9", "EXRULE:FREQ=WEEKLY", "SUMMARY:Tick"]),
    "How 'Tick' repeats cannot be read from this calendar file",
  ],
  [
    ics(
      ["UID:1", "DTSTART;VALUE=DATE:20270105", "RRULE:FREQ=WEEKLY;COUNT=4", "SUMMARY:Tick"],
      ["UID:1", "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20270112", "DTSTART;VALUE=DATE:20270113", "SUMMARY:Tick"],
    ),
    "How 'Tick' repeats cannot be read from this calendar file",
  ],
  [
    ics(["UID:1", "DTSTART;VALUE=DATE:20260217", "STATUS:cancelled", "SUMMARY:Tick"]),
    "This calendar file has no dates",
  ],
  [
    ics(["UID:1", "DTSTART;VALUE=DATE:20261225", "DURATION:P99999999999D", "SUMMARY:Tick"]),
    "'Tick' takes more than 120 days",
  ],
  [
    ics(["UID:1", "DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=DAILY", "SUMMARY:Tick"]),
    "A calendar may have at most 2,000 dates",
  ],
  [
    ics(["UID:1", "DTSTART:20260101T000000Z", "RRULE:FREQ=SECONDLY", "SUMMARY:Tick"]),
    "The events of this calendar file repeat too often",
  ],
])("a file that is no calendar changes nothing: %j", async (text, detail) => {
  const id = await aCalendar();
  expect(await upload(id, text)).toMatchObject({ status: 422, json: { detail } });
  expect((await manager.get("/calendars")).json.data).toMatchObject([{ version: 1, dates: [holiday] }]);
});

test.each([
  ["DTSTART;VALUE=DATE:20261225", "DTEND:garbage"],
  ["DTSTART;VALUE=DATE:20261225", "DURATION:xyz"],
  ["DTSTART;VALUE=DATE:20261225", "DURATION;VALUE=TEXT:P1D"],
  ["DTSTART;VALUE=TEXT:soon"],
  ["DTSTART;VALUE=INTEGER:5"],
  ["DTSTART;VALUE=DATE:00000000"],
  ["DTSTART;VALUE=DATE:99999999"],
  ["DTSTART;VALUE=DATE:20261399"],
  ["DTSTART;VALUE=DATE:20270229"],
  ["DTSTART:20261399T000000Z"],
  ["DTSTART:00000101T000000Z"],
  ["DTSTART;VALUE=DATE:99991231", "DURATION:P40D"],
  ["DTSTART;VALUE=DATE:20261225", "RRULE:FREQ=YEARLY", "EXDATE;VALUE=TEXT:never"],
  ["DTSTART;VALUE=DATE:20261225", "RDATE;VALUE=PERIOD:20270101T000000Z/P1D"],
])("an event whose time is none changes nothing, by a sentence: %s %s", async (...lines) => {
  const id = await aCalendar();
  expect(await upload(id, ics(["UID:1", "SUMMARY:Gala", ...lines]))).toMatchObject({
    status: 422,
    json: { detail: "When 'Gala' takes place cannot be read from this calendar file" },
  });
});

test("a name that is a number is a name, and one that cannot be read is none", async () => {
  const id = await aCalendar();
  const text = ics(
    ["UID;VALUE=DATE:none", "DTSTART;VALUE=DATE:20270101", "SUMMARY;VALUE=INTEGER:5"],
    ["STATUS;VALUE=DURATION:none", "DTSTART;VALUE=DATE:20270102", "SUMMARY;VALUE=DURATION:none"],
  );
  expect((await upload(id, text)).json.data.dates.slice(1)).toEqual([
    { date: "2027-01-01", name: "5" },
    { date: "2027-01-02", name: "" },
  ]);
});

test("what a file's names leave in a calendar can be saved again as it is", async () => {
  const id = await aCalendar();
  const names = [
    `${"x".repeat(199)}\u{1F386} and more`,
    "Lights\u2028out",
    "\u202eGala\u202c",
    `${" ".repeat(300)}late`,
  ];
  const text = ics(...names.map((name, n) => [`UID:${n}`, `DTSTART;VALUE=DATE:2027010${n + 1}`, `SUMMARY:${name}`]));
  const { name, dates } = (await upload(id, text)).json.data;
  expect(dates.slice(1).map((date: { name: string }) => date.name)).toEqual([
    "x".repeat(199),
    "Lights out",
    "Gala",
    "late",
  ]);
  expect((await manager.put(`/calendars/${id}`, { name, dates })).json.data).toMatchObject({ dates });
});

test("a calendar that an open schedule goes by stays, and one that only closed ones do goes", async () => {
  const id = await aCalendar();
  const plan = { org_id: "city", device_id: "lamp", title: "Path", start_at: at(1), end_at: at(2), timezone: "UTC" };
  const by = { calendar_id: id, calendar_rule: "skip" as const };
  await db
    .insert(t.devices)
    .values({ id: "lamp", org_id: "city", area_id: "field", name: "Lamp" })
    .onConflictDoNothing();
  await db.insert(t.schedules).values({ ...plan, ...by, id: "open", last_end_at: at(2) });
  await db.insert(t.schedules).values({ ...plan, ...by, id: "over", last_end_at: at(-1) });
  expect(await manager.remove(`/calendars/${id}`)).toMatchObject({
    status: 409,
    json: { detail: "A schedule goes by this calendar. Change that first." },
  });
  await db.update(t.schedules).set({ status: "canceled" });
  expect((await manager.remove(`/calendars/${id}`)).status).toBe(200);
});

test("a booking that comes to go by a calendar while it is deleted is named as what keeps it", async () => {
  const id = await aCalendar();
  const plan = { org_id: "city", area_id: "field", title: "Path", start_at: at(1), end_at: at(2), timezone: "UTC" };
  await db.insert(t.schedules).values({ ...plan, id: "late", last_end_at: at(2) });
  const booking = interruptedBy("UPDATE schedules SET calendar_id = ?, calendar_rule = 'skip'", id);
  expect(await as("manager", { db: booking }).remove(`/calendars/${id}`)).toMatchObject({
    status: 409,
    json: { detail: "A schedule goes by this calendar. Change that first." },
  });
  expect((await manager.get("/calendars")).json.data).toMatchObject([{ id }]);
});
