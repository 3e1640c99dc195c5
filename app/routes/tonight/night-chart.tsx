import { useRef, useState } from "react";
import { NightAxis, HourLines } from "#app/components/night/axis";
import { Unlogged } from "#app/components/night/shades";
import { NowLine } from "#app/components/night/now-line";
import type { Seen } from "#domain/tonight/tonight";
import type { NightArea } from "#domain/tonight/tonight-records";
import { AreaSection } from "./area-section";
import type { Chosen } from "./chosen";
import type { Night } from "./night";
import { useKeptOrder } from "./use-kept-order";
import { useRoving } from "#app/components/night/use-roving";

/** Where something is or was wrong. */
function opensItself({ lights }: NightArea): boolean {
  const isTold = ({ as }: Seen) => as === "failed" || as === "unasked";
  return lights?.some(({ problem, seen }) => problem !== null || seen.some(isTold)) ?? false;
}

/** The areas that have opened themselves: one whose light is well again does not fold under a finger. */
function useOpened(rows: NightArea[]): Set<string> {
  const [opened] = useState(() => new Set<string>());
  for (const area of rows) if (opensItself(area)) opened.add(area.id);
  return opened;
}

type Props = { night: Night; chosen: Chosen | null; onOpen: (chosen: Chosen) => void };

/** A row for each area, with a row for each of its lights where it is open, on one axis from noon to noon. */
export default function NightChart({ night, chosen, onOpen }: Props) {
  const { frame, known_from, now, zone } = night;
  const chart = useRef<HTMLDivElement>(null);
  const rows = useKeptOrder(night.rows);
  const [toggled, setToggled] = useState<Record<string, boolean>>({});
  const opened = useOpened(rows);
  const keys = useRoving(chart);
  return (
    <div ref={chart} className="card night relative [--label:11rem] lg:[--label:12.5rem]" {...keys}>
      <div className="border-line grid grid-cols-[var(--label)_minmax(0,1fr)] border-b pr-3">
        <span className="text-ink-faint px-3 pt-0.5 text-xs">Area and light</span>
        <NightAxis frame={frame} zone={zone} />
      </div>
      <div className="relative">
        <div aria-hidden className="pointer-events-none absolute inset-y-0 right-3 left-[var(--label)]">
          <Unlogged frame={frame} known_from={known_from} />
          <HourLines frame={frame} zone={zone} />
        </div>
        <ul aria-label="Areas and their lights">
          {rows.map((area) => (
            <AreaSection
              key={area.id}
              area={area}
              night={night}
              isOpen={toggled[area.id] ?? opened.has(area.id)}
              onToggle={(open) => setToggled((all) => ({ ...all, [area.id]: open }))}
              chosen={chosen?.area.id === area.id ? chosen : null}
              onOpen={onOpen}
            />
          ))}
        </ul>
        <div aria-hidden className="pointer-events-none absolute inset-y-0 right-3 left-[var(--label)]">
          <NowLine frame={frame} now={now} zone={zone} isNamed />
        </div>
      </div>
    </div>
  );
}
