import { grouped } from "#domain/counted";
import { ChevronRight, Lightbulb, LightbulbOff, Sunrise, Sunset } from "#app/ui/icons";
import { useNow } from "#app/components/night/use-now";
import { formatClock, formatDay } from "#domain/time/display";
import { flipsAfter, minuteOf, namesOf, type Flip } from "#domain/tonight/tonight-flips";
import type { NightArea } from "#domain/tonight/tonight-records";
import { cutWords } from "#domain/tonight/tonight-words";
import { AreaOnPhone } from "./area-on-phone";
import type { Chosen } from "./chosen";
import type { Night } from "./night";
import { useKeptOrder } from "./use-kept-order";

type Props = { night: Night; onOpen: (chosen: Chosen) => void };

/** The night on a phone: what was, what is on now by area, and what comes next, hour by hour. */
export default function NightHours({ night, onOpen }: Props) {
  const { frame, zone } = night;
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
            On now: {grouped(night.totals.on)} of {grouped(night.totals.all)}
          </span>
        </p>
      )}
      <ul aria-label="Areas" className="divide-line divide-y">
        {rows.map((area) => (
          <AreaOnPhone key={area.id} area={area} night={night} onOpen={onOpen} />
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
    ...(switched > 0 ? [`${grouped(switched)} ${switched === 1 ? "switch" : "switches"}`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
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
          <span className="text-ink-soft block">{on ? onWords(flip, night) : offWords(flip)}</span>
        </span>
        <span className={on ? "font-semibold" : "text-ink-soft"}>{on ? "On" : "Off"}</span>
      </button>
    </li>
  );
}

/** 'City league ends', or is 'cut 30 min' there; a person's reason, such as 'flood', does not end with the light. */
function offWords({ bar, lights: [light] }: Flip): string {
  const { why, text } = bar;
  if (why === "unasked") return text;
  if (why === "hand") return "No longer on by hand";
  if (why === "emergency") return "The emergency ends";
  const cut = light ? cutWords(bar, light) : "";
  return cut === "" ? `${text} ends` : `${text}, ${cut}`;
}

/** 'City league, until 10:00 PM, cut 30 min'. */
function onWords({ bar, lights: [light] }: Flip, { zone }: Night): string {
  const until = bar.goesOn ? "" : `until ${formatClock(bar.to, zone)}`;
  return [bar.text, until, light ? cutWords(bar, light) : ""].filter((part) => part !== "").join(", ");
}
