import { useState } from "react";
import type { LightTonight } from "#domain/tonight-records";
import type { NightBar as Bar } from "#domain/tonight";
import { hoursWords, verifiedWords } from "#domain/tonight-words";
import { NightAxis, HourLines } from "./axis";
import { BarTrack } from "./bar-track";
import { NowLine } from "./now-line";
import { Shades } from "./shades";
import { WhyChip } from "./why-chip";

/** Tonight of one light: its bars from noon to noon; a chosen bar is told below them. */
export function NightBar({ frame, known, now, zone, isForeseen, light, shade }: LightTonight) {
  const [chosen, choose] = useState<Bar | null>(null);
  const bar = light.bars.find(({ from, why }) => from === chosen?.from && why === chosen.why) ?? null;
  return (
    <div className="px-4 pt-2 pb-3">
      <NightAxis frame={frame} zone={zone} isNarrow />
      <div className="relative [&_button]:focus-visible:z-4">
        <div aria-hidden className="absolute inset-0">
          <Shades shade={shade} frame={frame} zone={zone} />
          <HourLines frame={frame} zone={zone} />
        </div>
        <BarTrack
          light={light}
          night={{ frame, known, zone }}
          open={bar}
          isTabbed
          onOpen={(next) => choose(bar === next ? null : next)}
        />
        <div aria-hidden>
          <NowLine frame={frame} now={now} zone={zone} />
        </div>
      </div>
      {bar && (
        <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
          <WhyChip bar={bar} />
          <span>
            {hoursWords(bar, frame, zone)}: {bar.sentence}
          </span>
          <span className="text-ink-soft">({verifiedWords(bar, light, known, zone)})</span>
        </p>
      )}
      {!isForeseen && <p className="text-warn-text mt-2">What comes next is not known right now.</p>}
    </div>
  );
}
