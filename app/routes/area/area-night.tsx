import { useRef, useState } from "react";
import { HourLines, NightAxis } from "#app/components/night/axis";
import { BarTrack, type NightContext } from "#app/components/night/bar-track";
import { BarWords } from "#app/components/night/bar-words";
import { NowLine } from "#app/components/night/now-line";
import { Shades, Unlogged } from "#app/components/night/shades";
import { deviceHref, NameLink } from "#app/components/page-links";
import { Lanes } from "#app/routes/tonight/lanes";
import { useRoving } from "#app/components/night/use-roving";
import { barKey, type NightBar, type NightLight } from "#domain/tonight/tonight";
import { NOT_FORESEEN } from "#domain/tonight/tonight-words";
import type { AreaTonight } from "./around";

/**
 * Tonight of an area: a row for each of its lights from noon to noon; a chosen bar is told below them. On a phone a lane for
 * each, of which the list of lights tells the details. The default export is for onDemand().
 */
export default function AreaNight(tonight: AreaTonight) {
  const { frame, known_from, now, zone, lights, shade, sentence, isForeseen, isWhole } = tonight;
  return (
    <div className="pt-2.5 pb-3">
      <p className="px-4">{sentence}</p>
      {!isForeseen && <p className="text-warn-text mt-1 px-4">{NOT_FORESEEN}</p>}
      <div className="max-sm:hidden">
        <Chart {...tonight} />
      </div>
      <div aria-hidden className="px-4 sm:hidden">
        <NightAxis frame={frame} zone={zone} isNarrow />
        <div className="relative">
          <div className="absolute inset-0">
            <Shades shade={shade} frame={frame} zone={zone} />
            <Unlogged frame={frame} known_from={known_from} />
            <HourLines frame={frame} zone={zone} />
          </div>
          <Lanes lights={lights} frame={frame} />
          <NowLine frame={frame} now={now} zone={zone} />
        </div>
      </div>
      {!isWhole && (
        <p className="text-ink-soft mt-2 px-4">The wrong ones and {lights.length} lights in all are shown.</p>
      )}
    </div>
  );
}

function Chart({ frame, known, known_from, now, zone, lights, shade }: AreaTonight) {
  const chart = useRef<HTMLDivElement>(null);
  const keys = useRoving(chart);
  const [chosen, choose] = useState<{ id: string; key: string } | null>(null);
  const night = { frame, known, known_from, zone };
  const light = lights.find(({ id }) => id === chosen?.id);
  const bar = light?.bars.find((each) => barKey(each) === chosen?.key);
  return (
    <div ref={chart} className="night [--label:11rem] xl:[--label:13rem]" {...keys}>
      <div className="ml-[var(--label)] pr-4">
        <NightAxis frame={frame} zone={zone} />
      </div>
      <div className="relative">
        <div aria-hidden className="pointer-events-none absolute inset-y-0 right-4 left-[var(--label)]">
          <Shades shade={shade} frame={frame} zone={zone} />
          <Unlogged frame={frame} known_from={known_from} />
          <HourLines frame={frame} zone={zone} />
        </div>
        <ul aria-label="Lights from noon to noon" className="relative">
          {lights.map((each) => (
            <Row
              key={each.id}
              light={each}
              night={night}
              open={each === light ? (bar ?? null) : null}
              onOpen={(opened) => choose({ id: each.id, key: barKey(opened) })}
            />
          ))}
        </ul>
        <div aria-hidden className="pointer-events-none absolute inset-y-0 right-4 left-[var(--label)]">
          <NowLine frame={frame} now={now} zone={zone} />
        </div>
      </div>
      <div aria-live="polite" className="px-4">
        {light && bar && (
          <div className="border-line mt-2 border-t pt-2.5">
            <h3 className="font-semibold">{light.name}</h3>
            <BarWords bar={bar} light={light} night={night} />
          </div>
        )}
      </div>
    </div>
  );
}

type RowProps = {
  light: NightLight;
  night: NightContext;
  open: NightBar | null;
  onOpen: (bar: NightBar) => void;
};

function Row({ light, night, open, onOpen }: RowProps) {
  const isBad = light.problem !== null;
  return (
    <li data-row className="grid grid-cols-[var(--label)_minmax(0,1fr)] items-center pr-4">
      <span className="flex min-w-0 items-center gap-2 pr-2 pl-4">
        <span
          className="dot"
          data-state={light.state}
          data-bad={isBad || undefined}
          role="img"
          aria-label={isBad ? `wrong: ${light.problem}` : light.state}
        />
        <NameLink to={deviceHref(light.id)} tabIndex={-1} data-cell className="my-0 min-w-0 leading-tight">
          {light.name}
        </NameLink>
      </span>
      <BarTrack light={light} night={night} open={open} onOpen={onOpen} />
    </li>
  );
}
