import { hiddenSentence } from "#app/components/hidden-sentence";
import { idleWords } from "#app/components/night/idle-words";
import { NameLink } from "#app/components/page-links";
import { capitalized } from "#domain/capitalized";
import { counted, grouped } from "#domain/counted";
import { isLight, type NightBar, type NightLight } from "#domain/tonight/tonight";
import type { NightArea } from "#domain/tonight/tonight-records";
import { isWrongBar, verifiedWords, whyWords } from "#domain/tonight/tonight-words";
import type { Chosen } from "./chosen";
import { darkWords } from "./dark-words";
import type { Night } from "./night";
import { linkTo } from "./night-links";

type Props = { area: NightArea; night: Night; onOpen: (chosen: Chosen) => void };

/** An area with a dot for each light; open, its lights with what they are doing. */
export function AreaOnPhone({ area, night, onOpen }: Props) {
  const { frame, page } = night;
  const isRunning = frame.kind === "running";
  const dark = darkWords(area, night);
  if (area.lights === null) {
    return (
      <li className="flex min-h-11 items-center px-3">
        <NameLink to={linkTo({ date: frame.date, open: area.id, page })} className="font-semibold">
          {area.name}
        </NameLink>
        <span className="text-ink-soft ml-2">
          {isRunning ? `${grouped(area.on)}/${grouped(area.all)}` : counted(area.all, "light")}
        </span>
      </li>
    );
  }
  return (
    <li>
      <details>
        <summary className="grid min-h-11 cursor-pointer list-none grid-cols-[4.75rem_minmax(0,1fr)] items-center py-1.5 pr-3 pl-3">
          <span aria-hidden className="flex max-w-16 flex-wrap gap-1">
            {isRunning &&
              area.lights
                .slice(0, 20)
                .map(({ id, state, problem }) => (
                  <span key={id} className="dot" data-state={state} data-bad={problem === null ? undefined : ""} />
                ))}
          </span>
          <span className="min-w-0">
            <span className="font-semibold">{area.name}</span>{" "}
            <span className="text-ink-soft">
              {isRunning ? `${grouped(area.on)}/${grouped(area.all)}` : grouped(area.all)}
            </span>
            <span className="text-ink-soft block">{areaWords(area, night)}</span>
          </span>
        </summary>
        <ul className="bg-sunken/60 pb-1">
          {dark.length > 0 && <li className="text-ink-soft py-2 pr-3 pl-6 text-xs">{capitalized(dark.join("; "))}</li>}
          {area.lights.map((light) => (
            <LightNow key={light.id} light={light} area={area} night={night} onOpen={onOpen} />
          ))}
          {area.hidden > 0 && <li className="text-ink-soft py-2 pr-3 pl-6 text-xs">{hiddenSentence(area.hidden)}</li>}
        </ul>
      </details>
    </li>
  );
}

/** 'Under-12 training, Cut by curfew: Track club, 2 by the sun'. */
function areaWords({ lights, active, all, hidden }: NightArea, night: Night): string {
  if (!active) return "Inactive: no schedule switches a light here";
  if (all === 0 && hidden > 0) return hiddenSentence(hidden);
  const isRunning = night.frame.kind === "running";
  const shown = (lights ?? []).flatMap((light) => barsAt(light, isRunning ? night.known : null));
  const bySun = shown.filter(({ why }) => why === "sun").length;
  const titles = [...new Set(shown.filter(({ why }) => why !== "sun").map(titleOf))];
  const words = [...titles.slice(0, 3), ...(bySun > 0 ? [`${bySun} by the sun`] : [])];
  if (titles.length > 3) words.push(`${titles.length - 3} more`);
  if (words.length > 0) return words.join(", ");
  return isRunning ? "Nothing is planned now" : capitalized(idleWords(night));
}

/** Of what is kept dark also why: its title alone would seem to be what lights the area now. */
function titleOf(bar: NightBar): string {
  return bar.why === "cut" && !bar.isSkipped ? `${whyWords(bar)}: ${bar.text}` : bar.text;
}

function barsAt({ bars }: NightLight, at: number | null): NightBar[] {
  return bars.filter((bar) => (at === null ? isLight(bar) : bar.from <= at && at < bar.to));
}

function LightNow({ light, area, night, onOpen }: Props & { light: NightLight }) {
  const { known, zone, frame } = night;
  const bar = barsAt(light, frame.kind === "running" ? known : null)[0] ?? light.bars.find(({ from }) => from > known);
  const name = (
    <>
      {frame.kind === "running" && (
        <span className="dot" data-state={light.state} data-bad={light.problem === null ? undefined : ""} />
      )}
      <span className="min-w-0 flex-1">
        <span className="block">{light.name}</span>
        {bar && (
          <span className={`block text-xs ${isWrongBar(bar, light) ? "text-bad-text font-semibold" : "text-ink-soft"}`}>
            {bar.isSkipped ? "" : `${whyWords(bar)}: `}
            {bar.text}, {verifiedWords(bar, light, known, zone)}
          </span>
        )}
      </span>
    </>
  );
  const className = "flex min-h-11 w-full items-center gap-3 py-1 pr-3 pl-6 text-left";
  return (
    <li>
      {bar ? (
        <button
          type="button"
          className={className}
          onClick={(event) => onOpen({ light, bar, area, opener: event.currentTarget })}
        >
          {name}
        </button>
      ) : (
        <NameLink to={`/devices/${encodeURIComponent(light.id)}`} className={className}>
          {name}
        </NameLink>
      )}
    </li>
  );
}
