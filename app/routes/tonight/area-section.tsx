import { ChevronDown, ChevronRight } from "#app/ui/icons";
import { BarTrack, type NightContext } from "#app/components/night/bar-track";
import { Shades } from "#app/components/night/shades";
import { hiddenSentence } from "#app/components/hidden-sentence";
import { deviceHref, NameLink } from "#app/components/page-links";
import { useJson, useLatest } from "#app/router/use-json";
import { LoadingBlock } from "#app/ui/spinner";
import { counted, grouped } from "#domain/counted";
import type { NightLight } from "#domain/tonight/tonight";
import type { AreaLights, NightArea } from "#domain/tonight/tonight-records";
import type { Chosen } from "./chosen";
import { Lanes } from "./lanes";
import { MoreLights } from "./more-lights";
import type { Night } from "./night";

type Props = {
  area: NightArea;
  night: Night;
  isOpen: boolean;
  onToggle: (open: boolean) => void;
  chosen: Chosen | null;
  onOpen: (chosen: Chosen) => void;
};

/** An area: one row of thin lanes, or open with a row for each light. Lights that did not fit come when it is opened. */
export function AreaSection({ area, night, isOpen, onToggle, chosen, onOpen }: Props) {
  const { frame, zone } = night;
  const demanded = useDemanded(area, night, isOpen);
  const lights = area.lights ?? demanded?.lights ?? null;
  return (
    <li className="border-line relative border-b last:border-b-0">
      <div aria-hidden className="pointer-events-none absolute inset-y-0 right-3 left-[var(--label)]">
        <Shades shade={area.shade} frame={frame} zone={zone} isNamed={isOpen} />
      </div>
      <div data-row className="relative grid grid-cols-[var(--label)_minmax(0,1fr)] items-center pr-3">
        <button
          type="button"
          tabIndex={-1}
          data-cell
          data-area
          aria-expanded={isOpen}
          onClick={() => onToggle(!isOpen)}
          className="hover:bg-sunken flex min-h-8.5 items-center gap-1.5 rounded-md py-1 pr-2 pl-1.5 text-left"
        >
          {isOpen ? <ChevronDown className="size-4 shrink-0" /> : <ChevronRight className="size-4 shrink-0" />}
          <span className="min-w-0 flex-1 font-semibold">
            {area.name}
            <span className="sr-only">{countWords(area, frame.kind)}</span>
          </span>
          {area.wrong > 0 && frame.kind === "running" && <span className="dot" data-bad />}
          <span aria-hidden className="text-ink-soft text-xs">
            {frame.kind === "running" ? `${grouped(area.on)}/${grouped(area.all)}` : grouped(area.all)}
          </span>
        </button>
        {!isOpen && <Folded area={area} lights={lights} night={night} onToggle={onToggle} />}
      </div>
      {isOpen && lights === null && (demanded === null ? <Unavailable /> : <LoadingBlock label="Loading lights..." />)}
      {isOpen && lights !== null && (
        <ul aria-label={`Lights of ${area.name}`} className="relative pb-1.5">
          {lights.map((light) => (
            <LightRow
              key={light.id}
              light={light}
              night={night}
              chosen={chosen?.light.id === light.id ? chosen : null}
              onOpen={(bar, opener) => onOpen({ light, bar, opener, area })}
            />
          ))}
        </ul>
      )}
      {isOpen && <Rest area={area} more={area.lights ? area.all - area.lights.length : (demanded?.more ?? 0)} />}
    </li>
  );
}

/** The lights of an area that did not fit, once it is open; asked again with each load of the screen. */
function useDemanded(area: NightArea, { frame, now }: Night, isOpen: boolean): AreaLights | null | undefined {
  const isAsked = isOpen && area.lights === null;
  const query = new URLSearchParams({ area_id: area.id, date: frame.date, at: String(now) });
  return useLatest(useJson<AreaLights>(isAsked ? `/tonight/lights?${query}` : null));
}

type FoldedProps = { area: NightArea; lights: NightLight[] | null; night: Night; onToggle: (open: boolean) => void };

function Folded({ area, lights, night, onToggle }: FoldedProps) {
  if (!area.active) return <Aside>inactive: no schedule switches a light here</Aside>;
  if (lights !== null) return <Lanes lights={lights} frame={night.frame} />;
  return (
    <button type="button" tabIndex={-1} onClick={() => onToggle(true)} className="text-brand-text px-2 text-left">
      Show {counted(area.all, "light")}
    </button>
  );
}

const Aside = ({ children }: { children: React.ReactNode }) => <p className="text-ink-soft px-2 text-xs">{children}</p>;

const Unavailable = () => (
  <p className="text-ink-soft px-4 pb-2">The lights could not be loaded; they are asked for again.</p>
);

function Rest({ area, more }: { area: NightArea; more: number }) {
  return (
    <>
      {more > 0 && (
        <p className="text-ink-soft px-4 pb-2">
          <MoreLights area_id={area.id} more={more} />
        </p>
      )}
      {area.hidden > 0 && <p className="text-ink-soft px-4 pb-2 text-xs">{hiddenSentence(area.hidden)}</p>}
    </>
  );
}

type RowProps = {
  light: NightLight;
  night: NightContext;
  chosen: Chosen | null;
  onOpen: (bar: NightLight["bars"][number], opener: HTMLElement) => void;
};

function LightRow({ light, night, chosen, onOpen }: RowProps) {
  const isRunning = night.frame.kind === "running";
  return (
    <li
      data-row
      data-chosen={chosen ? "" : undefined}
      className="data-chosen:bg-brand-soft/60 grid grid-cols-[var(--label)_minmax(0,1fr)] items-center pr-3"
    >
      <span className="flex min-w-0 items-center gap-2 pr-2 pl-6">
        {isRunning && (
          <span
            className="dot"
            data-state={light.state}
            data-bad={light.problem === null ? undefined : ""}
            role="img"
            aria-label={light.problem === null ? light.state : `wrong: ${light.problem}`}
          />
        )}
        <NameLink
          to={deviceHref(light.id)}
          tabIndex={-1}
          data-cell
          className="flex min-h-6 min-w-0 items-center py-0.5 leading-tight"
        >
          {light.name}
        </NameLink>
      </span>
      <BarTrack
        light={light}
        night={night}
        open={chosen?.bar ?? null}
        onOpen={(bar, event) => onOpen(bar, event.currentTarget)}
      />
    </li>
  );
}

function countWords({ on, wrong, unknown, all }: NightArea, kind: NightContext["frame"]["kind"]): string {
  if (kind !== "running") return counted(all, "light");
  const more = [
    ...(wrong > 0 ? [`${grouped(wrong)} wrong`] : []),
    ...(unknown > 0 ? [`${grouped(unknown)} unknown`] : []),
  ];
  return [`${grouped(on)} of ${grouped(all)} on`, ...more].join(", ");
}
