import { Construction, Lightbulb, Power, SkipForward } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { deviceHref, NameLink } from "#app/components/page-links";
import { SidePanel } from "#app/components/side-panel";
import { barHours } from "#app/components/night/bar-hours";
import { WhyChip } from "#app/components/night/why-chip";
import { targetValue } from "#app/forms/target-value";
import { useJson, useLatest } from "#app/router/use-json";
import { opens } from "#app/router/view";
import { RefusalNote } from "#app/routes/devices/guardrail-note";
import { recordHref } from "#app/routes/schedules/record-href";
import type { DescribedSchedule } from "#app/routes/schedules/schedule-row";
import type { Told } from "#domain/light/refusal";
import { wordsByZone } from "#domain/schedule/words-by-zone";
import { barKey, isLight, type NightBar, type NightLight } from "#domain/tonight/tonight";
import { cutWords, isWrongBar, verifiedWords } from "#domain/tonight/tonight-words";
import { Button } from "#app/ui/button";
import type { Chosen } from "./chosen";
import type { Night } from "./night";

type Props = { chosen: Chosen; night: Night; onClose: () => void };

/** Why a bar is there, who made it, and what can be done. */
export default function BarPanel({ chosen, night, onClose }: Props) {
  const { area } = chosen;
  const light = latest(chosen, night);
  const bar = light.bars.find((each) => barKey(each) === barKey(chosen.bar)) ?? chosen.bar;

  const cut = cutWords(bar, light);

  return (
    <SidePanel
      id="bar-title"
      title={bar.text}
      place={
        <>
          <NameLink to={deviceHref(light.id)} className="text-brand-text font-medium">
            {light.name}
          </NameLink>
          , {area.name}
        </>
      }
      of={chosen}
      onClose={onClose}
    >
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-base font-semibold">{barHours(bar, night.zone)}</span>
        <WhyChip bar={bar} />
      </p>
      <p>
        {bar.sentence}
        {cut !== "" && `; ${cut}`}
      </p>
      <Facts bar={bar} light={light} night={night} />
      <Actions bar={bar} light={light} area={area} night={night} />
    </SidePanel>
  );
}

/** The light as it was loaded last; one that was loaded on demand stays as it was opened. */
function latest({ light }: Chosen, { rows }: Night): NightLight {
  const area = rows.find(({ id }) => id === light.area_id);
  return area?.lights?.find(({ id }) => id === light.id) ?? light;
}

type PartProps = { bar: NightBar; light: NightLight; night: Night };

function Facts({ bar, light, night }: PartProps) {
  const [id = null] = bar.schedule_ids;
  const schedule = useJson<DescribedSchedule | false>(id === null ? null : recordHref(id));
  const others = alsoLit(bar, light, night);
  return (
    <dl className="facts border-line border-y py-3 [&_dd]:whitespace-normal!">
      <div>
        <dt>Verified</dt>
        <dd className={isWrongBar(bar, light) ? "text-bad-text font-semibold" : ""}>
          {verifiedWords(bar, light, night.known, night.zone)}
        </dd>
      </div>
      {light.problem !== null && (
        <div>
          <dt>Wrong</dt>
          <dd className="text-bad-text">{light.problem}</dd>
        </div>
      )}
      {bar.who !== null && (
        <div>
          <dt>{isBooking(bar) ? "Booked by" : "By"}</dt>
          <dd>{bar.who}</dd>
        </div>
      )}
      {id !== null && (
        <>
          <div>
            <dt>Schedule</dt>
            <dd>
              {schedule === false ? (
                "no longer there"
              ) : !schedule ? (
                "…"
              ) : (
                <NameLink
                  to={`/schedules?${new URLSearchParams({ q: schedule.title, area: schedule.area_id })}`}
                  className="text-brand-text font-medium"
                >
                  {schedule.title}
                </NameLink>
              )}
            </dd>
          </div>
          <div>
            <dt>Repeats</dt>
            <dd>{schedule ? (schedule.rrule === null ? "once" : wordsByZone(schedule, night.zone)) : "…"}</dd>
          </div>
        </>
      )}
      {others.length > 0 && (
        <div>
          <dt>Also for</dt>
          <dd>{others.length <= 3 ? others.join(", ") : `${others.length} more lights`}</dd>
        </div>
      )}
    </dl>
  );
}

/** Whether the bar is told as what is booked, be it lit or kept dark. */
function isBooking({ why, schedule_ids, isSkipped }: NightBar): boolean {
  return schedule_ids.length > 0 && !isSkipped && (isLight({ why }) || why === "cut");
}

/** The other lights of the page that the same schedule is for. */
function alsoLit({ schedule_ids }: NightBar, { id }: NightLight, { rows }: Night): string[] {
  const lights = rows.flatMap(({ lights: loaded }) => loaded ?? []);
  return lights
    .filter((other) => other.id !== id)
    .filter(({ bars }) => bars.some((bar) => bar.schedule_ids.some((each) => schedule_ids.includes(each))))
    .map(({ name }) => name);
}

function Actions({ bar, light, area, night }: PartProps & Pick<Chosen, "area">) {
  const maySave = useCan("schedule.save");
  const mayClose = useCan("closure.save");
  const place = new URLSearchParams({ area_id: area.id, target: targetValue({ type: "device", id: light.id }) });
  const isOver = bar.to <= night.now;
  const series = maySave && light.may_toggle && !isOver ? bar.series : null;
  const isTonight = night.frame.kind === "running";
  // A switch acts now: beside another night's bar it would be taken for that night's.
  const maySwitch = light.may_toggle && isTonight;
  // With each load of the screen it is asked anew.
  const asked = `${deviceHref(light.id)}/refusal?${new URLSearchParams({ at: String(night.now) })}`;
  const refusal = useLatest(useJson<Pick<Told, "refusal">>(maySwitch ? asked : null))?.refusal ?? null;
  return (
    <>
      <RefusalNote refusal={refusal} />
      <div className={`pair [&>*]:px-2 ${series === null ? ODD_LAST : EVEN_LAST}`}>
        {series !== null && (
          <Button className="col-span-2" icon={<SkipForward />} {...opens("skip", series)}>
            {isTonight ? "Skip tonight…" : "Skip this night…"}
          </Button>
        )}
        {maySwitch && (
          <>
            <Button icon={<Power />} {...opens("turn-off", light.id)}>
              Off until…
            </Button>
            <Button
              why={refusal}
              aria-describedby={refusal ? "guardrail" : undefined}
              icon={<Lightbulb />}
              {...opens("turn-on", light.id)}
            >
              On until…
            </Button>
          </>
        )}
        {mayClose && light.may_toggle && night.frame.kind !== "past" && (
          <ButtonLink to={`/closures?new=&${place}`} icon={<Construction />}>
            Close…
          </ButtonLink>
        )}
        <ButtonLink to={deviceHref(light.id)}>Open the light</ButtonLink>
      </div>
    </>
  );
}

/** What has no neighbor takes the whole row, as a skip does before the others. */
const ODD_LAST = "[&>:last-child:nth-child(odd)]:col-span-2";
const EVEN_LAST = "[&>:last-child:nth-child(even)]:col-span-2";
