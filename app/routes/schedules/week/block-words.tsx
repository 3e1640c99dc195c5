import type { CSSProperties } from "react";
import { hasWords, titleLength, wordsPlace, type Piece } from "#app/week/rows";
import type { WeekNight } from "#app/week/week-frame";
import { blockWords, shownWords, skippedWords } from "#app/week/week-words";

type Props = { piece: Piece; night: WeekNight; zone: string; isTall: boolean };

/**
 * The block's words, in it or behind it; where only the title fits in, the others follow behind. A tall one has two lines.
 */
export function BlockWords({ piece, night, zone, isTall }: Props) {
  const { window, schedule } = piece;
  const skipped = skippedWords(window);
  const struck = skipped === "" ? "" : "line-through";
  const letters = shownWords(piece, zone).length;
  const place = wordsPlace(piece, letters);
  const inside = wordsPlace(piece, titleLength(piece) / (isTall ? 2 : 1));
  const isParted = !place.isInside && inside.isInside;
  if (!hasWords(piece, letters)) return null;
  return (
    <>
      {isParted && (
        <span className="week-text" style={widthOf(inside, night)}>
          <b className={struck}>{schedule.title}</b>{" "}
        </span>
      )}
      <span className="week-text" data-behind={place.isInside ? undefined : ""} style={widthOf(place, night)}>
        <span className={struck}>
          {!isParted && <b>{schedule.title}</b>} {blockWords(piece, zone)}
        </span>
        {skipped !== "" && `, ${skipped}`}
      </span>
    </>
  );
}

/** By the night and not by the block: one of a few minutes is drawn wider than it lasts. */
function widthOf({ room }: { room: number }, { from, to }: WeekNight): CSSProperties {
  return { maxWidth: `${Math.round((room * 3_600_000 * 10_000) / (to - from)) / 100}cqi` };
}
