import { grouped } from "#domain/counted";
import { Link } from "@remix-run/react";
import { useEffect, useId, useRef, type KeyboardEvent } from "react";
import { Lightbulb, Power, X } from "#app/ui/icons";
import { AreaIcon } from "#app/components/area-icon";
import { hiddenSentence } from "#app/components/hidden-sentence";
import { useOrganization } from "#app/components/organization";
import { areaHref, NameLink } from "#app/components/page-links";
import { targetValue } from "#app/forms/target-value";
import { useUpdatedAt } from "#app/router/connection";
import { useLatest } from "#app/router/use-json";
import { opens } from "#app/router/view";
import { whyNotAll } from "#domain/light/switch-all";
import { formatDated } from "#domain/time/display";
import { Button } from "#app/ui/button";
import { Fact } from "#app/ui/card";
import { litWords, unknownWords } from "./area-state";
import type { PlacedArea } from "./city-map";
import { useAreaNow } from "./use-area-now";

/** What one area is, does and will do next, with what can be done for all of its lights. It takes the focus. */
export function MapCard({ area, onClose }: { area: PlacedArea; onClose: () => void }) {
  const { zone, loaded_at } = useOrganization();
  const heading = useId();
  const start = useRef<HTMLElement>(null);
  const now = useLatest(useAreaNow(area.id, useUpdatedAt()));
  const of = new URLSearchParams({ area: area.id });
  const value = targetValue({ type: "area", id: area.id });
  const why = whyNotAll(area.lights, now?.may_switch !== false);

  useEffect(() => start.current?.focus({ preventScroll: true }), []);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "Escape") onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from any of its buttons
    <section ref={start} tabIndex={-1} aria-labelledby={heading} className="map-card card" onKeyDown={onKeyDown}>
      <header>
        <AreaIcon type={area.type} />
        <div>
          <h2 id={heading}>
            <NameLink to={areaHref(area.id)}>{area.name}</NameLink>
          </h2>
          <p>
            {area.type}
            {!area.active && " · inactive"}
          </p>
        </div>
        <Button size="icon" variant="ghost" aria-label={`Close ${area.name}`} icon={<X />} onClick={onClose} />
      </header>
      <dl className="facts">
        <Fact label="On now">{litWords(area)}</Fact>
        {area.unknown > 0 && <Fact label="State">{unknownWords(area)}</Fact>}
        <Fact label="Wrong">
          {area.problems === 0 ? (
            "None"
          ) : (
            <Link to={`/devices?${of}&show=problems`} className="text-bad-text font-medium hover:underline">
              {grouped(area.problems)} of {grouped(area.lights)}
            </Link>
          )}
        </Fact>
        <Fact label="Next">{now === undefined ? "…" : formatDated(now?.next_event, zone, loaded_at)}</Fact>
      </dl>
      {now && now.hidden > 0 && <p className="text-ink-soft text-xs">{hiddenSentence(now.hidden)}</p>}
      {area.lights > 0 && (
        <div role="group" aria-label={`All lights of ${area.name}`} className="pair">
          <Button why={why ?? now?.refusal} icon={<Lightbulb />} {...opens("turn-on", value)}>
            All on…
          </Button>
          <Button why={why} icon={<Power />} {...opens("turn-off", value)}>
            All off…
          </Button>
        </div>
      )}
    </section>
  );
}
