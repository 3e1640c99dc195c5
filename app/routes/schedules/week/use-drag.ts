import { useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState, type MouseEvent, type PointerEvent as ReactPointerEvent } from "react";
import { dragged, instantAt, slotBetween, type Grip } from "#app/week/dragging";
import type { Piece, WeekRow } from "#app/week/rows";
import type { Week } from "#app/week/week";
import type { WeekNight } from "#app/week/week-frame";
import { dialogHref, momentsOf, newHref, placeIn } from "./week-links";
import { keyOf } from "./piece-key";

/** What a pointer is drawing: a new window or an existing one elsewhere (epoch ms), in the night of a date. */
export type Drag = { grip: Grip | "new"; night: string; start: number; end: number; piece: Piece | null };

/** A hand is not still; less than this is a click. */
const LEAST_PX = 5;

/** What of a block may be dragged: nothing that is over, left out or not the person's, and no edge that goes by the sun. */
export function mayDrag({ schedule, window }: Piece, now: number): Record<Grip, boolean> {
  const isOpen = schedule.is_open && schedule.may_write && window.skipped === null && window.end > now;
  const [start, end] = [isOpen && schedule.start_sun === null, isOpen && schedule.end_sun === null];
  return { move: start && end, start, end };
}

type Pressed = {
  grip: Grip | "new";
  piece: Piece | null;
  night: WeekNight;
  x: number;
  y: number;
  at: number;
  hasMoved: boolean;
};

type Props = { week: Week; rows: WeekRow[]; isOn: boolean };

/**
 * Lets a mouse or a pen draw a new window on an empty stretch, and drag blocks and their edges. Either ends in a form
 * with the hours filled in, so nothing changes by a slip; Escape ends it before. A finger scrolls, and taps an empty
 * stretch for a new window.
 */
export function useDrag({ week, rows, isOn }: Props) {
  const navigate = useNavigate();
  const [drag, setDrag] = useState<Drag | null>(null);
  const pressed = useRef<Pressed | null>(null);
  const current = useRef<Drag | null>(null);
  const wasDragged = useRef(false);

  function show(next: Drag | null) {
    current.current = next;
    setDrag(next);
  }

  function stop() {
    pressed.current = null;
    show(null);
  }

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && pressed.current?.hasMoved) {
        event.stopPropagation();
        wasDragged.current = true;
        stop();
      }
    };
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  });

  function onPointerDown(event: ReactPointerEvent<HTMLElement>) {
    wasDragged.current = false;
    if (!isOn || event.button !== 0 || event.pointerType === "touch") return;
    const began = pressOf(event.nativeEvent, rows, week.now);
    if (!began) return;
    pressed.current = began;
  }

  function onPointerMove(event: ReactPointerEvent<HTMLElement>) {
    const began = pressed.current;
    if (!began) return;
    // Let go of beside the chart, before it was a drag: what comes back is no drag, and the next press not its end.
    if (event.buttons === 0) return stop();
    began.hasMoved ||= Math.hypot(event.clientX - began.x, event.clientY - began.y) >= LEAST_PX;
    if (!began.hasMoved) return;
    // Not before it is a drag: the click of a captured pointer is the chart's and not the block's.
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
    show(dragOf(began, event, event.currentTarget, week, rows));
  }

  function onPointerUp(event: ReactPointerEvent<HTMLElement>) {
    const [began, last] = [pressed.current, current.current];
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      event.currentTarget.releasePointerCapture(event.pointerId);
    stop();
    if (!began) return;
    wasDragged.current = began.hasMoved;
    if (began.piece === null) {
      const hours = last ?? slotBetween(began.at, began.at, began.night);
      goNew(hours);
    } else if (last && (last.start !== began.piece.window.start || last.end !== began.piece.window.end)) {
      go(dialogHref(week, { move: began.piece.schedule.id, ...momentsOf(last, week.zone) }));
    }
  }

  /** The click that ends a drag opens nothing; a finger's tap on an empty stretch is one on a new window. */
  function onClickCapture(event: MouseEvent<HTMLElement>) {
    if (wasDragged.current) {
      event.stopPropagation();
      event.preventDefault();
      wasDragged.current = false;
      return;
    }
    const isTap = "pointerType" in event.nativeEvent && event.nativeEvent.pointerType === "touch";
    const began = isOn && isTap ? pressOf(event.nativeEvent, rows, week.now) : null;
    if (began && began.piece === null) goNew(slotBetween(began.at, began.at, began.night));
  }

  const go = (to: string) => void navigate(to, { preventScrollReset: true });
  const goNew = ({ start, end }: { start: number; end: number }) =>
    go(newHref(placeIn(week), { start, end, zone: week.zone }));
  return {
    drag,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: stop, onClickCapture },
  };
}

type At = { clientX: number; clientY: number };

/** What is pressed: a block or its edge, or an empty stretch of a night that is not over. */
function pressOf(event: At & { target: EventTarget | null }, rows: WeekRow[], now: number): Pressed | null {
  const target = event.target instanceof Element ? event.target : null;
  const track = target?.closest<HTMLElement>("[data-slot]");
  const row = rows.find(({ night }) => night.date === track?.dataset.slot);
  if (!target || !track || !row) return null;
  const { night } = row;
  const at = instantAt(shareOf(event, track), night);
  const began = { night, x: event.clientX, y: event.clientY, at, hasMoved: false };
  const key = target.closest<HTMLElement>("[data-block]")?.dataset.block;
  if (key === undefined) return at + 1 < now && night.to <= now ? null : { ...began, grip: "new", piece: null };
  const piece = row.pieces.find((each) => keyOf(each) === key);
  if (!piece) return null;
  const grip = gripOf(target);
  return mayDrag(piece, now)[grip] ? { ...began, grip, piece } : null;
}

function gripOf(target: Element): Grip {
  const grip = target.closest<HTMLElement>("[data-grip]")?.dataset.grip;
  return grip === "start" || grip === "end" ? grip : "move";
}

function dragOf({ grip, piece, night, at }: Pressed, event: At, chart: HTMLElement, week: Week, rows: WeekRow[]): Drag {
  const over = trackAt(event, chart);
  const own = chart.querySelector<HTMLElement>(`[data-slot="${night.date}"]`);
  // What is once may go to another night; what repeats keeps its weekdays, and an edge its night.
  const isFree = grip === "move" && piece !== null && !piece.schedule.repeats;
  const track = isFree ? (over ?? own) : own;
  const target = rows.find((row) => row.night.date === track?.dataset.slot)?.night ?? night;
  const to = track ? instantAt(shareOf(event, track), target) : at;
  if (grip === "new" || piece === null) {
    return { grip, night: night.date, piece: null, ...slotBetween(at, to, night) };
  }
  const { repeats } = piece.schedule;
  const ends = dragged(piece.window, grip, { from: at, to }, { repeats, zone: week.zone });
  return { grip, night: target.date, piece, ...ends };
}

function trackAt({ clientY }: At, chart: HTMLElement): HTMLElement | null {
  const tracks = [...chart.querySelectorAll<HTMLElement>("[data-slot]")];
  return tracks.find((track) => clientY < track.getBoundingClientRect().bottom) ?? tracks.at(-1) ?? null;
}

function shareOf({ clientX }: At, track: HTMLElement): number {
  const { left, width } = track.getBoundingClientRect();
  return (clientX - left) / width;
}
