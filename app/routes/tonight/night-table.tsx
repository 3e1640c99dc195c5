import { Link } from "@remix-run/react";
import { idleWords } from "#app/components/night/idle-words";
import { WhyChip } from "#app/components/night/why-chip";
import { useCan } from "#app/components/capability";
import { hiddenSentence } from "#app/components/hidden-sentence";
import { areaHref, deviceHref, NameLink } from "#app/components/page-links";
import { opens } from "#app/router/view";
import { counted, grouped } from "#domain/counted";
import { barKey, type NightBar, type NightLight } from "#domain/tonight/tonight";
import { dateWords } from "#app/routes/schedules/skip-words";
import type { NightArea } from "#domain/tonight/tonight-records";
import { beginWords, endWords, isWrongBar, unplannedWords, verifiedWords } from "#domain/tonight/tonight-words";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { darkWords } from "./dark-words";
import { linkTo } from "./night-links";
import { MoreLights } from "./more-lights";
import type { Night } from "./night";
import { useKeptOrder } from "./use-kept-order";

const COLUMNS = ["Light", "From", "To", "Why", "What", "Who", "Verified"];

/** Everything that the chart shows, as a table; on a phone each bar is a block. It works without script. */
export default function NightTable({ night }: { night: Night }) {
  const rows = useKeptOrder(night.rows);
  return (
    <Card className="overflow-hidden">
      <table className="night-table">
        <caption className="sr-only">
          The night of {dateWords(night.frame.date, night.now)}, from noon to noon: what each light is planned to do,
          and what was verified
        </caption>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col" className="w-0">
              <span className="sr-only">Skip</span>
            </th>
          </tr>
        </thead>
        {rows.map((area) => (
          <AreaRows key={area.id} area={area} night={night} />
        ))}
      </table>
    </Card>
  );
}

function AreaRows({ area, night }: { area: NightArea; night: Night }) {
  const { frame, page } = night;
  const open = linkTo({ date: frame.kind === "running" ? undefined : frame.date, view: "list", open: area.id, page });
  return (
    <tbody>
      <tr data-area>
        <th scope="rowgroup" colSpan={8}>
          <NameLink to={areaHref(area.id)} className="font-semibold">
            {area.name}
          </NameLink>
          <span className="text-ink-soft ml-2 text-xs font-normal">{areaWords(area, night)}</span>
        </th>
      </tr>
      {area.lights?.map((light) => (
        <LightRows key={light.id} light={light} night={night} />
      ))}
      {area.lights !== null && area.all > area.lights.length && (
        <tr>
          <td colSpan={8} data-note>
            <MoreLights area_id={area.id} more={area.all - area.lights.length} />
          </td>
        </tr>
      )}
      {area.lights === null && (
        <tr>
          <td colSpan={8} data-note>
            <Link to={open} className="text-brand-text font-medium hover:underline">
              {`Show the ${area.all === 1 ? "light" : counted(area.all, "light")} of ${area.name}`}
            </Link>
          </td>
        </tr>
      )}
      {area.hidden > 0 && (
        <tr>
          <td colSpan={8} data-note>
            {hiddenSentence(area.hidden)}
          </td>
        </tr>
      )}
    </tbody>
  );
}

function areaWords(area: NightArea, night: Night): string {
  const { on, all, active } = area;
  const count = night.frame.kind === "running" ? `${grouped(on)} of ${grouped(all)} on` : counted(all, "light");
  return [count, ...(active ? [] : ["inactive"]), ...darkWords(area, night)].join("; ");
}

function LightRows({ light, night }: { light: NightLight; night: Night }) {
  const { frame, known, known_from, zone } = night;
  const [first, ...more] = light.bars;
  const name = (
    <th scope="row" rowSpan={Math.max(1, light.bars.length)}>
      <NameLink to={deviceHref(light.id)}>{light.name}</NameLink>
      {light.problem !== null && <p data-bad>{light.problem}</p>}
    </th>
  );
  if (!first) {
    const isBad = light.seen.length > 0;
    return (
      <tr>
        {name}
        <td colSpan={5}>{idleWords(night)}</td>
        <td colSpan={2} data-bad={isBad || undefined}>
          {known_from < frame.to && unplannedWords(light, frame.kind, known, zone)}
        </td>
      </tr>
    );
  }
  return (
    <>
      <tr>
        {name}
        <BarCells bar={first} light={light} night={night} />
      </tr>
      {more.map((bar) => (
        <tr key={barKey(bar)} data-more>
          <BarCells bar={bar} light={light} night={night} />
        </tr>
      ))}
    </>
  );
}

function BarCells({ bar, light, night }: { bar: NightBar; light: NightLight; night: Night }) {
  const { known, now, zone } = night;
  const maySkip = useCan("schedule.save") && light.may_toggle && bar.to > now;
  return (
    <>
      <td>{beginWords(bar, zone)}</td>
      <td>{endWords(bar, zone)}</td>
      <td>
        <WhyChip bar={bar} />
      </td>
      <td>{bar.text}</td>
      <td>{bar.who}</td>
      <td data-bad={isWrongBar(bar, light) || undefined}>{verifiedWords(bar, light, known, zone)}</td>
      <td>
        {maySkip && bar.series !== null && (
          <Button size="sm" variant="ghost" aria-label={`Skip ${bar.text} for a night`} {...opens("skip", bar.series)}>
            Skip
          </Button>
        )}
      </td>
    </>
  );
}
