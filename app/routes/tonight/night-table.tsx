import { Link } from "@remix-run/react";
import { WhyChip } from "#app/components/night/why-chip";
import { useCan } from "#app/components/capability";
import { hiddenSentence } from "#app/components/hidden-sentence";
import { areaHref, deviceHref, NameLink } from "#app/components/page-links";
import { opens } from "#app/router/view";
import type { NightBar, NightLight } from "#domain/tonight";
import { formatClock } from "#domain/display";
import type { NightArea } from "#domain/tonight-records";
import { isWrongBar, nightWords, unplannedWords, verifiedWords } from "#domain/tonight-words";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { linkTo } from "./night-links";
import type { Night } from "./tonight-screen";
import { useKeptOrder } from "./use-kept-order";

const COLUMNS = ["Light", "From", "To", "Why", "What", "Who", "Verified"];

/** Everything that the chart shows, as a table; on a phone each bar is a block. It works without script. */
export function NightTable({ night }: { night: Night }) {
  const rows = useKeptOrder(night.rows);
  return (
    <Card className="overflow-hidden">
      <table className="night-table w-full text-left max-lg:block">
        <caption className="sr-only">
          The night of {nightWords(night.frame.date)}, from noon to noon: what each light is planned to do, and what was
          verified
        </caption>
        <thead className="text-ink-soft text-xs max-lg:sr-only">
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className="px-2.5 py-2.5 font-medium whitespace-nowrap first:pl-4">
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
  const { frame, zone } = night;
  const open = linkTo({ date: frame.kind === "running" ? undefined : frame.date, view: "list", open: area.id });
  return (
    <tbody className="max-lg:block">
      <tr className="bg-sunken max-lg:block">
        <th scope="rowgroup" colSpan={8} className="px-4 py-2 max-lg:block">
          <NameLink to={areaHref(area.id)} className="font-semibold">
            {area.name}
          </NameLink>
          <span className="text-ink-soft ml-2 text-xs font-normal">{areaWords(area, night)}</span>
        </th>
      </tr>
      {area.lights?.map((light) => (
        <LightRows key={light.id} light={light} night={night} />
      ))}
      {area.lights === null && (
        <tr className="max-lg:block">
          <td colSpan={8} className="px-4 py-2.5 max-lg:block">
            <Link to={open} className="text-brand-text font-medium hover:underline">
              Show the {area.all} lights of {area.name}
            </Link>
          </td>
        </tr>
      )}
      {area.hidden > 0 && (
        <tr className="max-lg:block">
          <td colSpan={8} className="text-ink-soft px-4 py-2 text-xs max-lg:block">
            {hiddenSentence(area.hidden)}
          </td>
        </tr>
      )}
    </tbody>
  );

  function areaWords({ on, all, shade, active }: NightArea, { frame: { kind } }: Night): string {
    const count = kind === "running" ? `${on} of ${all} on` : `${all} ${all === 1 ? "light" : "lights"}`;
    const dark = shade.map(
      ({ kind: rule, from, to }) => `${rule} ${formatClock(from, zone)} to ${formatClock(to, zone)}`,
    );
    return [count, ...(active ? [] : ["inactive"]), ...dark].join("; ");
  }
}

function LightRows({ light, night }: { light: NightLight; night: Night }) {
  const { frame, known, zone } = night;
  const [first, ...more] = light.bars;
  const name = (
    <th
      scope="row"
      rowSpan={Math.max(1, light.bars.length)}
      className="px-2.5 py-2 pl-4 align-top font-semibold max-lg:w-full max-lg:p-0"
    >
      <NameLink to={deviceHref(light.id)}>{light.name}</NameLink>
      {light.problem !== null && <p className="text-bad-text text-xs font-normal">{light.problem}</p>}
    </th>
  );
  if (!first) {
    const isBad = light.seen.length > 0;
    return (
      <tr className={ROW}>
        {name}
        <td colSpan={5} className={`${CELL} text-ink-soft`}>
          nothing planned
        </td>
        <td colSpan={2} className={`${CELL} ${isBad ? BAD : ""}`}>
          {unplannedWords(light, frame.kind, known, zone)}
        </td>
      </tr>
    );
  }
  return (
    <>
      <tr className={ROW}>
        {name}
        <BarCells bar={first} light={light} night={night} />
      </tr>
      {more.map((bar) => (
        <tr key={`${bar.from} ${bar.why}`} className={`${ROW} max-lg:border-t-0 max-lg:pt-0`}>
          <BarCells bar={bar} light={light} night={night} />
        </tr>
      ))}
    </>
  );
}

const ROW =
  "border-line border-t max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-2 max-lg:gap-y-1 max-lg:px-4 max-lg:py-2.5";
const CELL = "px-2.5 py-2 align-top max-lg:p-0";
const BAD = "text-bad-text font-semibold";

function BarCells({ bar, light, night }: { bar: NightBar; light: NightLight; night: Night }) {
  const { frame, known, now, zone } = night;
  const maySkip = useCan("schedule.save") && light.may_toggle && bar.to > now;
  return (
    <>
      <td className={`${CELL} whitespace-nowrap`}>
        {bar.from === frame.from ? "before noon" : formatClock(bar.from, zone)}
      </td>
      <td className={`${CELL} whitespace-nowrap max-lg:before:content-['to_']`}>
        {bar.to === frame.to ? "after noon" : formatClock(bar.to, zone)}
      </td>
      <td className={CELL}>
        <WhyChip bar={bar} />
      </td>
      <td className={`${CELL} max-lg:w-full`}>{bar.text}</td>
      <td className={`${CELL} whitespace-nowrap max-lg:text-ink-soft max-lg:empty:hidden`}>{bar.who}</td>
      <td className={`${CELL} ${isWrongBar(bar, light) ? BAD : "text-ink-soft"}`}>
        {verifiedWords(bar, light, known, zone)}
      </td>
      <td className={`${CELL} text-right max-lg:ml-auto`}>
        {maySkip && bar.series !== null && (
          <Button
            size="sm"
            look="ghost"
            className="sm:-my-1 sm:h-7"
            aria-label={`Skip ${bar.text} for a night`}
            {...opens("skip", bar.series)}
          >
            Skip
          </Button>
        )}
      </td>
    </>
  );
}
