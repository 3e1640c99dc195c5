import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { BarTrack } from "#app/components/night/bar-track";
import type { NightBar, NightLight } from "#domain/tonight/tonight";

const at = (hour: number, minute = 0) => Date.UTC(2026, 10, 20, hour, minute);
const night = {
  frame: { from: at(12), to: at(36), kind: "running" as const },
  known_from: at(12),
  zone: "UTC",
};
const bar = (text: string, from: number, to: number, more: Partial<NightBar> = {}): NightBar => ({
  from,
  to,
  why: "booked",
  reason: "claim",
  text,
  sentence: text,
  schedule_ids: [text],
  group: null,
  series: null,
  who: null,
  ...more,
});
const search = bar("lost child", at(12), at(15), { why: "emergency", reason: "emergency", schedule_ids: [] });
const evening = bar("Evening lights", at(17), at(21));

/** The words of a row, and how far from its left edge, in percent, they stand. */
function words(bars: NightBar[], more: Partial<NightLight> = {}, known = at(13)): [text: string, left: number] {
  const light: NightLight = {
    id: "gate",
    name: "Gate",
    area_id: "park",
    state: "on",
    problem: null,
    hold: null,
    may_toggle: true,
    bars,
    seen: [],
    ...more,
  };
  const html = renderToStaticMarkup(
    createElement(BarTrack, { light, night: { ...night, known }, open: null, onOpen: () => undefined }),
  );
  const [, style = "", text = ""] = /<span[^>]*style="([^"]*)"[^>]*>([^<]*)<\/span>/.exec(html) ?? [];
  return [text, Number(/left:([\d.]+)%/.exec(style)?.[1])];
}

test("what is on now is not told behind a later booking", () => {
  expect(words([search, evening])).toEqual(["Evening lights", 37.5]);
});

test("it is told behind its own bar where there is room before the next one", () => {
  expect(words([search, bar("Late match", at(22), at(24))])).toEqual(["lost child", 12.5]);
});

test("a row that has room only before its bars says what the first one is", () => {
  const bars = [bar("Market", at(20), at(26)), bar("Commuters", at(26), at(35))];
  expect(words(bars, {}, at(27))).toEqual(["Market", 0]);
});

test("a booking's words stand behind what is cut of it", () => {
  const league = bar("League", at(18), at(22, 30));
  const cut = bar("League", at(22, 30), at(23), { why: "cut", reason: "curfew" });
  expect(words([league, cut])).toEqual(["League, cut 30 min", 45.83]);
});

test("what is wrong is told even where only the end of the row has room", () => {
  const failed = { from: at(12), to: at(13), as: "failed" as const };
  const [text, left] = words([search, evening], { problem: "does not answer", seen: [failed] });
  expect([text, left]).toEqual([expect.stringMatching(/^dark since/), 37.5]);
});

test("what is cut of a booking is told also where something else is on before it", () => {
  const league = bar("League", at(18), at(22, 30));
  const cut = bar("League", at(22, 30), at(23), { why: "cut", reason: "curfew" });
  expect(words([search, league, cut])).toEqual(["League, cut 30 min", 45.83]);
});

test("of two skipped bookings that overlap the words are of the one that ends where they stand", () => {
  const skipped = { why: "cut", reason: "idle", isSkipped: true } as const;
  const bars = [bar("Skipped: League", at(17), at(23), skipped), bar("Skipped: Class", at(18), at(20), skipped)];
  expect(words(bars)).toEqual(["Skipped: League", 45.83]);
});

test("a booking is not told behind light that nobody asked for", () => {
  const seen = [
    { from: at(17), to: at(21), as: "lit" as const },
    { from: at(23), to: at(25), as: "unasked" as const },
  ];
  expect(words([evening], { seen }, at(26))).toEqual(["lit from 11:00 PM", 54.17]);
});

test("nor before it", () => {
  const seen = [{ from: at(20), to: at(21), as: "unasked" as const }];
  expect(words([bar("Market", at(24), at(32))], { seen }, at(22))).toEqual(["lit from 8:00 PM", 0]);
});
