import type { MouseEvent } from "react";
import { useNoScript } from "#app/ui/no-script";
import { formatClock } from "#domain/time/display";
import { barKey, type NightBar, type NightLight } from "#domain/tonight/tonight";
import { placeOf } from "#domain/tonight/tonight-frame";
import { barSentence, cutWords, isWrongBar, unplannedWords, verifiedWords } from "#domain/tonight/tonight-words";
import { stretch, type Ends } from "./place";
import { barKind } from "./bar-kind";
import { textPlace } from "./text-place";

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

/** What a row says in words, where there is room for it. */
function TrackText({ light, night }: Pick<Props, "light" | "night">) {
  const { frame, known, known_from } = night;
  const drawn = [...light.bars, ...light.seen];
  const words = wordsOf(light, night);
  const isBad = words.isBad || undefined;
  if (words.text === "") return null;
  if (drawn.length === 0) {
    const left = placeOf(frame.kind === "running" ? known : frame.from, frame);
    return (
      <span aria-hidden data-bad={isBad} style={left > 70 ? { right: `${100 - left}%` } : { left: `${left}%` }}>
        {words.text}
      </span>
    );
  }
  const place = textPlace(drawn, frame, known_from);
  if (place === null) return null;
  const style = { left: `${place.left}%`, right: `${place.right}%` };
  return (
    <span aria-hidden data-bad={isBad} style={style} className={place.right > 0 ? "justify-end" : undefined}>
      {words.text}
    </span>
  );
}

function wordsOf(
  light: NightLight,
  { frame, known, known_from, zone }: NightContext,
): { text: string; isBad: boolean } {
  const wrong = light.bars.find((bar) => isWrongBar(bar, light));
  if (wrong && (frame.kind === "past" || light.problem !== null)) {
    return { text: verifiedWords(wrong, light, known, zone), isBad: true };
  }
  if (light.bars.length === 0) {
    const words = unplannedWords(light, frame.kind, known, zone);
    const isBad = light.seen.length > 0;
    // It would stand over hours of which nothing is known.
    const idle = known_from > frame.from ? "" : "nothing planned";
    return { text: isBad ? words : idle, isBad };
  }
  const shown = light.bars.find(({ to }) => to > known) ?? light.bars.at(-1);
  if (!shown) return { text: "", isBad: false };
  if (shown.isSkipped) return { text: shown.who ? `${shown.text} (${shown.who})` : shown.text, isBad: false };
  const text = shown.why === "sun" && !shown.goesOn ? `until ${formatClock(shown.to, zone)}` : shown.text;
  const cut = cutWords(shown, light);
  return { text: cut === "" ? text : `${text}, ${cut}`, isBad: false };
}
