import type { CSSProperties, MouseEvent } from "react";
import { useNoScript } from "#app/ui/no-script";
import { formatClock } from "#domain/time/display";
import { barKey, type NightBar, type NightLight, type Seen } from "#domain/tonight/tonight";
import { placeOf } from "#domain/tonight/tonight-frame";
import { barSentence, cutWords, isWrongBar, unplannedWords, verifiedWords } from "#domain/tonight/tonight-words";
import { stretch, type Ends } from "./place";
import { barKind } from "./bar-kind";
import { gapBehind, textPlace, type TextPlace } from "./text-place";

/** The log tells from `known_from` until `known` (epoch ms). */
export type NightContext = {
  frame: Ends & { kind: "past" | "running" | "coming" };
  known: number;
  known_from: number;
  zone: string;
};

type Props = {
  light: NightLight;
  night: NightContext;
  /** The bar whose panel is open. */
  open: NightBar | null;
  onOpen: (bar: NightBar, event: MouseEvent<HTMLButtonElement>) => void;
};

/**
 * The bars of one light, each a button with a sentence as its name, and over them what readings said. One cell of the
 * chart around them is its tab stop (use-roving.ts). Without script nothing would open: they only say what they are.
 */
export function BarTrack({ light, night, open, onOpen }: Props) {
  const { frame } = night;
  const noScript = useNoScript();
  return (
    <div className="track">
      {light.bars.map((bar) => (
        <button
          key={barKey(bar)}
          type="button"
          tabIndex={-1}
          disabled={noScript}
          data-cell
          data-why={barKind(bar)}
          aria-label={barSentence(bar, light, night)}
          aria-expanded={open !== null && barKey(open) === barKey(bar)}
          title={bar.text}
          style={stretch(bar, frame)}
          onClick={(event) => onOpen(bar, event)}
        />
      ))}
      {light.seen.map((seen) => (
        <i key={`${seen.from} ${seen.as}`} aria-hidden data-as={seen.as} style={stretch(seen, frame)} />
      ))}
      <TrackText light={light} night={night} />
    </div>
  );
}

/** What a row says in words, where there is room for it: of the bar that they stand beside. */
function TrackText({ light, night }: Pick<Props, "light" | "night">) {
  const { frame, known, known_from } = night;
  const drawn = [...light.bars, ...light.seen];
  const told = toldOf(light, night);
  if (drawn.length === 0) {
    const left = placeOf(frame.kind === "running" ? known : frame.from, frame);
    return <Words {...told} style={left > 70 ? { right: `${100 - left}%` } : { left: `${left}%` }} />;
  }
  const gap = told.bar && gapBehind(runOf(told.bar, light.bars), drawn, frame);
  const place = gap ?? textPlace(drawn, frame, known_from);
  if (place === null) return null;
  const { text, isBad } = gap === null && !told.isBad ? besideOf(place, told, { light, night }) : told;
  return (
    <Words
      text={text}
      isBad={isBad}
      style={{ left: `${place.left}%`, right: `${place.right}%` }}
      className={place.isBefore ? "justify-end" : undefined}
    />
  );
}

type WordsProps = { text: string; isBad: boolean; style: CSSProperties; className?: string | undefined };

function Words({ text, isBad, style, className }: WordsProps) {
  if (text === "") return null;
  return (
    <span aria-hidden data-bad={isBad || undefined} style={style} className={className}>
      {text}
    </span>
  );
}

/** What a row says, and of which of its bars, if of one. */
type Told = { bar: NightBar | null; text: string; isBad: boolean };

/** What is wrong, else what is now, or comes next. */
function toldOf(light: NightLight, { frame, known, known_from, zone }: NightContext): Told {
  const wrong = light.bars.find((bar) => isWrongBar(bar, light));
  if (wrong && (frame.kind === "past" || light.problem !== null)) {
    return { bar: wrong, text: verifiedWords(wrong, light, known, zone), isBad: true };
  }
  const shown = light.bars.find(({ to }) => to > known) ?? light.bars.at(-1);
  if (shown) return { bar: shown, text: wordsOf(shown, light, zone), isBad: false };
  const words = unplannedWords(light, frame.kind, known, zone);
  const isBad = light.seen.length > 0;
  // It would stand over hours of which nothing is known.
  const idle = known_from > frame.from ? "" : "nothing planned";
  return { bar: null, text: isBad ? words : idle, isBad };
}

/** What the row says at its beginning, or its end, where other things are drawn than what it would tell. */
function besideOf({ isBefore }: TextPlace, told: Told, { light, night }: Pick<Props, "light" | "night">): Told {
  const { bars, seen } = light;
  const isStray = ({ as, from, to }: Seen) => as === "unasked" && !bars.some((bar) => bar.from < to && from < bar.to);
  const strays = seen.filter(isStray);
  const [nearest] = [...bars, ...strays].toSorted((a, b) => (isBefore ? a.from - b.from : b.to - a.to));
  const stray = strays.find((each) => each === nearest);
  if (stray) {
    const text = unplannedWords({ ...light, seen: [stray] }, night.frame.kind, night.known, night.zone);
    return { bar: null, text, isBad: true };
  }
  // Also of what is cut the booking tells it, that it is cut from.
  const run = bars.map((bar) => runOf(bar, bars)).find((each) => each.some((bar) => bar === nearest));
  const [bar] = run ?? [];
  if (!bar || !told.bar || run?.includes(told.bar)) return told;
  return { bar, text: wordsOf(bar, light, night.zone), isBad: false };
}

function wordsOf(bar: NightBar, light: NightLight, zone: string): string {
  if (bar.isSkipped) return bar.who ? `${bar.text} (${bar.who})` : bar.text;
  const text = bar.why === "sun" && !bar.goesOn ? `until ${formatClock(bar.to, zone)}` : bar.text;
  const cut = cutWords(bar, light);
  return cut === "" ? text : `${text}, ${cut}`;
}

/** A bar and those of the same schedule that go on where it ends, as what is cut of it: its words are theirs, too. */
function runOf(bar: NightBar, bars: readonly NightBar[]): NightBar[] {
  const run = [bar];
  for (const next of bars) {
    const isNext = next.from === run.at(-1)?.to && next.schedule_ids.some((id) => bar.schedule_ids.includes(id));
    if (isNext) run.push(next);
  }
  return run;
}
