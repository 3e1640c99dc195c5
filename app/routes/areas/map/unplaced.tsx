import { useId } from "react";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { areaHref, NameLink } from "#app/components/page-links";
import { MapPin } from "#app/ui/icons";
import { countWords, stateOf } from "./area-state";
import type { MapArea } from "./city-map";
import { Mark } from "./mark";
import { useFirst } from "./use-first";

/** Areas that the map cannot show, each with the way to its form. */
export function Unplaced({ areas }: { areas: MapArea[] }) {
  const heading = useId();
  const mayPlace = useCan("area.save");
  const { shown, more } = useFirst(areas);
  if (areas.length === 0) return null;
  return (
    <section aria-labelledby={heading} className="panel mt-4">
      <header>
        <h2 id={heading}>Without a position</h2>
        <p>{areas.length}</p>
      </header>
      <ul aria-labelledby={heading}>
        {shown.map((area) => (
          <li key={area.id} className="flex items-center gap-3 px-4 py-2">
            <Mark state={stateOf(area)} />
            <div className="min-w-0 flex-1">
              <NameLink to={areaHref(area.id)} className="font-semibold">
                {area.name}
              </NameLink>
              <p className="text-ink-soft text-sm">{countWords(area)}</p>
            </div>
            {mayPlace && (
              <ButtonLink
                to={`${areaHref(area.id)}?${new URLSearchParams({ edit: area.id })}`}
                icon={<MapPin />}
                aria-label={`Set position of ${area.name}`}
              >
                Set position
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}
