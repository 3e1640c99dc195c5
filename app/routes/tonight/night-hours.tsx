import { ChevronRight, Lightbulb, LightbulbOff, Sunrise, Sunset } from "#app/ui/icons";
import { hiddenSentence } from "#app/components/hidden-sentence";
import { useNow } from "#app/components/night/use-now";
import { capitalized } from "#domain/capitalized";
import { counted } from "#domain/counted";
import { formatClock, formatDay } from "#domain/time/display";
import { isLight, type NightBar, type NightLight } from "#domain/tonight/tonight";
import { flipsAfter, minuteOf, namesOf, type Flip } from "#domain/tonight/tonight-flips";
import type { NightArea } from "#domain/tonight/tonight-records";
import { cutWords, isWrongBar, verifiedWords, whyWords } from "#domain/tonight/tonight-words";
import type { Chosen } from "./chosen";
import { idleWords } from "./idle-words";
import { linkTo } from "./night-links";
import type { Night } from "./night";
import { NameLink } from "#app/components/page-links";
import { useKeptOrder } from "./use-kept-order";

type Props = { night: Night; onOpen: (chosen: Chosen) => void };

/** The night on a phone: what was, what is on now by area, and what comes next, hour by hour. */
export default function NightHours({ night, onOpen }: Props) {
  const { frame, known_from, zone } = night;
  const now = useNow(night.now);
  const isRunning = frame.kind === "running";
  const rows = useKeptOrder(night.rows);
  const flips = flipsAfter(
    rows.flatMap(({ lights }) => lights ?? []),
    // With what is switched at the noons sharp.
    frame.from - 1,
    frame.to + 1,
  );
  const marks = [
    { at: frame.sunset, name: "Sunset", icon: Sunset },
    { at: frame.sunrise, name: "Sunrise", icon: Sunrise },
  ].flatMap(({ at, ...mark }) => (at === null ? [] : [{ at, ...mark }]));
  const steps = stepsOf(flips, marks);
  const [past, coming] = isRunning
    ? [steps.filter(({ at }) => at <= now), steps.filter(({ at }) => at > now)]
    : [[], steps];
  const show = { night, onOpen, rows };
  return (
    <div className="card overflow-hidden">
      {isRunning && known_from > frame.from && (
        <p className="text-ink-soft border-line border-b px-3 py-2">
          Not known before {formatClock(known_from, zone)}: the log begins then.
        </p>
      )}
      {past.length > 0 && (
        <details className="group">
          <summary className="text-ink-soft flex min-h-11 cursor-pointer list-none items-center gap-2 px-3">
            <ChevronRight className="size-4 shrink-0 group-open:rotate-90" />
            {earlierWords(night, past)}
          </summary>
          <Steps steps={past} {...show} />
        </details>
      )}
      {isRunning && (
        <p className="bg-night text-night-ink flex items-center gap-5 px-3 py-2 font-semibold">
          <span>{formatClock(now, zone)}</span>
          <span>
            On now: {night.totals.on} of {night.totals.all}
          </span>
        </p>
      )}
      <ul aria-label="Areas" className="divide-line divide-y">
        {rows.map((area) => (
          <AreaNow key={area.id} area={area} night={night} onOpen={onOpen} />
        ))}
      </ul>
      {/* Where none comes, the sentence above the night says so, and of which lights. */}
      {coming.length > 0 && <Steps steps={coming} {...show} />}
    </div>
  );
}

type Mark = { at: number; name: string; icon: typeof Sunset };
type Step = { at: number; flips: Flip[]; mark: Mark | null };

/** What happens in one minute is one step. */
function stepsOf(flips: Flip[], marks: Mark[]): Step[] {
  const steps = new Map<number, Step>();
  for (const flip of flips) {
    const at = minuteOf(flip.at);
    const step = steps.get(at) ?? { at, flips: [], mark: null };
    step.flips.push(flip);
    steps.set(at, step);
  }
  for (const mark of marks) {
    const at = minuteOf(mark.at);
    steps.set(at, { at, flips: steps.get(at)?.flips ?? [], mark });
  }
  return [...steps.values()].toSorted((a, b) => a.at - b.at);
}

/** 'Earlier: sunset 4:45 PM, 33 switches, 1 failed'. */
function earlierWords({ zone, rows, known }: Night, past: Step[]): string {
  const marks = past.flatMap(({ at, mark }) => (mark ? [`${mark.name.toLowerCase()} ${formatClock(at, zone)}`] : []));
  const switched = past.flatMap(({ flips }) => flips).reduce((sum, { lights }) => sum + lights.length, 0);
  const failed = rows
    .flatMap(({ lights }) => lights ?? [])
    .filter(({ seen }) => seen.some((each) => each.as === "failed" && each.from < known)).length;
  const parts = [
    // The last word where nothing has switched: the sun sets a while after the night was loaded.
    ...marks.slice(0, 1),
    ...(switched > 0 ? [`${switched} ${switched === 1 ? "switch" : "switches"}`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return `Earlier: ${parts.join(", ")}`;
}

type StepsProps = Props & { steps: Step[]; rows: NightArea[] };

function Steps({ steps, night, rows, onOpen }: StepsProps) {
  const { zone } = night;
  const first = formatDay(night.frame.from, zone);
  return (
    <ol className="border-line border-t">
      {steps.map((step, n) => {
        const day = formatDay(step.at, zone);
        const isNewDay = day !== first && (n === 0 || formatDay(steps[n - 1]?.at ?? 0, zone) !== day);
        return (
          <li key={step.at}>
            {isNewDay && <p className="text-ink-soft bg-sunken px-3 py-1.5 text-xs font-semibold">{day}</p>}
            <div className="border-line grid grid-cols-[4.75rem_minmax(0,1fr)] border-b py-1.5 pl-3">
              <p className="pt-2 font-semibold whitespace-nowrap">{formatClock(step.at, zone)}</p>
              <ul>
                {step.mark && (
                  <li className="text-ink-soft flex min-h-9 items-center gap-2">
                    <step.mark.icon className="size-4" />
                    {step.mark.name}
                  </li>
                )}
                {step.flips.map((flip) => (
                  <FlipRow
                    key={`${flip.on} ${flip.lights[0]?.id}`}
                    flip={flip}
                    night={night}
                    rows={rows}
                    onOpen={onOpen}
                  />
                ))}
              </ul>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function FlipRow({ flip, night, rows, onOpen }: Props & { flip: Flip; rows: NightArea[] }) {
  const { bar, lights, on } = flip;
  const [light] = lights;
  const area = rows.find(({ id }) => id === light?.area_id);
  if (!light || !area) return null;
  return (
    <li>
      <button
        type="button"
        onClick={(event) => onOpen({ light, bar, area, opener: event.currentTarget })}
        className="flex min-h-11 w-full items-center gap-3 py-1 pr-3 text-left"
      >
        <span className="why size-7 justify-center px-0!" data-why={on ? bar.why : "cut"}>
          {on ? <Lightbulb /> : <LightbulbOff />}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">
            {namesOf(flip, area.name)}
            {lights.length > 1 && bar.group !== null && (
              <span className="text-ink-soft font-normal"> {lights.length} lights</span>
            )}
          </span>
          <span className="text-ink-soft block">{on ? onWords(flip, night) : `${bar.text} ends`}</span>
        </span>
        <span className={on ? "font-semibold" : "text-ink-soft"}>{on ? "On" : "Off"}</span>
      </button>
    </li>
  );
}

/** 'City league, until 10:00 PM, cut 30 min'. */
function onWords({ bar, lights: [light] }: Flip, { zone }: Night): string {
  const until = bar.goesOn ? "" : `until ${formatClock(bar.to, zone)}`;
  return [bar.text, until, light ? cutWords(bar, light) : ""].filter((part) => part !== "").join(", ");
}

/** An area with a dot for each light; open, its lights with what they are doing. */
function AreaNow({ area, night, onOpen }: Props & { area: NightArea }) {
  const { frame, page } = night;
  const isRunning = frame.kind === "running";
  if (area.lights === null) {
    return (
      <li className="flex min-h-11 items-center px-3">
        <NameLink to={linkTo({ date: frame.date, open: area.id, page })} className="font-semibold">
          {area.name}
        </NameLink>
        <span className="text-ink-soft ml-2">{isRunning ? `${area.on}/${area.all}` : counted(area.all, "light")}</span>
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
            <span className="text-ink-soft">{isRunning ? `${area.on}/${area.all}` : area.all}</span>
            <span className="text-ink-soft block">{areaWords(area, night)}</span>
          </span>
        </summary>
        <ul className="bg-sunken/60 pb-1">
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

function LightNow({ light, area, night, onOpen }: Props & { light: NightLight; area: NightArea }) {
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
