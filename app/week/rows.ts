import { compare } from "#domain/compare";
import type { Week, WeekSchedule, WeekWindow } from "./week";
import type { WeekNight } from "./week-frame";

/** What of a window lies in one night: the whole, or a part where it lasts beyond a noon. Instants are epoch ms. */
export type Piece = {
  window: WeekWindow;
  schedule: WeekSchedule;
  from: number;
  to: number;
  /** Which of the row's lanes it is in, from 0: what overlaps stands in lanes of its own. */
  lane: number;
  /** When the next one in its lane begins, or the night ends: so far its words may reach. */
  free_until: number;
};

export type WeekRow = { night: WeekNight; pieces: Piece[]; lanes: number };

/** A row for each night, with the windows in it by their start. */
export function rowsOf({ frame, windows, schedules }: Pick<Week, "frame" | "windows" | "schedules">): WeekRow[] {
  const byId = new Map(schedules.map((schedule) => [schedule.id, schedule]));
  return frame.nights.map((night) => {
    const parts = windows.flatMap((window) => {
      const [from, to] = [Math.max(window.start, night.from), Math.min(window.end, night.to)];
      const schedule = byId.get(window.schedule_id);
      return to > from && schedule ? [{ window, schedule, from, to }] : [];
    });
    return { night, ...inLanes(parts, night.to) };
  });
}

/** The night in which a window is told once: the one in which it begins, or the first of the week. */
export function isToldIn({ window }: Piece, night: WeekNight, { from }: Pick<Week["frame"], "from">): boolean {
  const at = Math.max(window.start, from);
  return night.from <= at && at < night.to;
}

function inLanes(parts: Omit<Piece, "lane" | "free_until">[], end: number): { pieces: Piece[]; lanes: number } {
  const ends: number[] = [];
  const sorted = parts.toSorted(
    (a, b) => a.from - b.from || b.to - a.to || compare(a.schedule.title, b.schedule.title),
  );
  const pieces = sorted.map((part) => {
    const free = ends.findIndex((end) => end <= part.from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = part.to;
    return { ...part, lane };
  });
  const placed = pieces.map((piece) => {
    const next = pieces.find(({ lane, from }) => lane === piece.lane && from >= piece.to);
    return { ...piece, free_until: next?.from ?? end };
  });
  return { pieces: placed, lanes: ends.length };
}

/** Pixels of a usual screen: an hour of the chart and a letter of a block. */
const HOUR_PX = 34;
const LETTER_PX = 6.4;

/**
 * Where so many letters stand: in the block before it goes dark, or behind it where they do not fit in and there is more
 * room. `room` is in hours.
 */
export function wordsPlace(
  { window, from, to, free_until }: Piece,
  letters: number,
): { isInside: boolean; room: number } {
  const dark = window.dark.find((each) => each.to > from)?.from ?? to;
  const inside = hours(from, Math.min(Math.max(dark, from), to));
  const behind = hours(to, free_until);
  const isInside = inside * HOUR_PX >= letters * LETTER_PX || inside >= behind;
  return { isInside, room: isInside ? Math.max(inside, 0) : behind };
}

/** Whether so many letters are cut where they stand. */
export function isCut(piece: Piece, letters: number): boolean {
  return wordsPlace(piece, letters).room * HOUR_PX < letters * LETTER_PX;
}

/** A title's length in usual letters: bold ones are wider, and it has a margin on both sides. */
export function titleLength({ schedule: { title } }: Piece): number {
  return Math.ceil(title.length * 1.15) + 2;
}

/** A block this short shows no words: one letter tells nothing. */
const LEAST_ROOM_PX = 24;

export function hasWords(piece: Piece, letters: number): boolean {
  return wordsPlace(piece, letters).room * HOUR_PX >= LEAST_ROOM_PX;
}

function hours(from: number, to: number): number {
  return (to - from) / 3_600_000;
}
