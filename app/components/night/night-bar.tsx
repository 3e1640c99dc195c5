import { useRef, useState } from "react";
import { capitalized } from "#domain/capitalized";
import { formatClock } from "#domain/time/display";
import type { LightTonight } from "#domain/tonight/tonight-records";
import { barKey, type NightBar as Bar } from "#domain/tonight/tonight";
import { NOT_FORESEEN } from "#domain/tonight/tonight-words";
import { NightAxis, HourLines } from "./axis";
import { BarTrack, type NightContext } from "./bar-track";
import { BarWords } from "./bar-words";
import { idleWords } from "./idle-words";
import { NowLine } from "./now-line";
import { Shades, Unlogged } from "./shades";
import { useRoving } from "./use-roving";

type Props = LightTonight & Pick<NightContext, "known_from">;

/**
 * Tonight of one light: its bars from noon to noon, one tab stop with arrows between them, because two bars of a few
 * minutes are too small to be targets of their own. A chosen bar, at first the one of now, is told below them.
 */
export function NightBar({ frame, known, known_from, now, zone, isForeseen, light, shade }: Props) {
  const [chosen, choose] = useState<Bar | null>(null);
  const chart = useRef<HTMLDivElement>(null);
  const keys = useRoving(chart);
  const night = { frame, known, known_from, zone };
  const found = chosen && light.bars.find((each) => barKey(each) === barKey(chosen));
  const bar = found ?? light.bars.find(({ to }) => to > now) ?? light.bars.at(-1) ?? null;
  return (
    <div className="px-4 pt-2 pb-3">
      <NightAxis frame={frame} zone={zone} isNarrow />
      <div ref={chart} data-row {...keys} className="relative [&_button]:focus-visible:z-4">
        <div aria-hidden className="absolute inset-0">
          <Shades shade={shade} frame={frame} zone={zone} />
          <Unlogged frame={frame} known_from={known_from}>
            Not known before {formatClock(known_from, zone)}
          </Unlogged>
          <HourLines frame={frame} zone={zone} />
        </div>
        <BarTrack light={light} night={night} open={bar} onOpen={choose} />
        <div aria-hidden>
          <NowLine frame={frame} now={now} zone={zone} />
        </div>
      </div>
      {bar ? (
        <div className="mt-2">
          <BarWords bar={bar} light={light} night={night} />
        </div>
      ) : (
        isForeseen && <p className="text-ink-soft mt-2">{capitalized(idleWords(night))}</p>
      )}
      {!isForeseen && <p className="text-warn-text mt-2">{NOT_FORESEEN}</p>}
    </div>
  );
}
