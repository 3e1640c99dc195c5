import { Link } from "@remix-run/react";
import { Lightbulb, Router, TriangleAlert } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { AreaIcon } from "#app/components/area-icon";
import { hiddenSentence } from "#app/components/hidden-sentence";
import { useOrganization } from "#app/components/organization";
import { formatDated } from "#domain/time/display";
import type { AreaSummary, MayWrite } from "#domain/records/records";
import { NameLink, areaHref, bookHref } from "#app/components/page-links";
import { Badge, type Tone } from "#app/ui/badge";
import { Card, Fact } from "#app/ui/card";
import { percentOn } from "./percent-on";

/** Its links but for the name's lead to screens that the sidebar makes known to the browser. */
export function AreaCard({ area }: { area: AreaSummary & MayWrite }) {
  const { zone, loaded_at } = useOrganization();
  const of = new URLSearchParams({ area: area.id });
  return (
    <li className="area">
      <Card>
        <header>
          <AreaIcon type={area.type} />
          <div>
            <h3>
              <NameLink to={areaHref(area.id)}>{area.name}</NameLink>
            </h3>
            <p>{area.type}</p>
          </div>
        </header>
        <div className="badges">
          <Link discover="none" to={`/hubs?${of}`}>
            <Badge tone={hubsTone(area)} icon={<Router />}>
              {`${area.hubs_online}/${area.hubs_total} hubs`}
            </Badge>
          </Link>
          <Link discover="none" to={`/devices?${of}`}>
            <Badge tone={devicesTone(area)} icon={<Lightbulb />}>
              {`${area.devices_on}/${area.devices_total} devices`}
            </Badge>
          </Link>
          {area.problems > 0 && (
            <Link discover="none" to={`/devices?${of}&show=problems`}>
              <Badge tone="bad" icon={<TriangleAlert />}>
                {`${area.problems} wrong`}
              </Badge>
            </Link>
          )}
        </div>
        {area.devices_hidden > 0 && <p className="text-ink-soft text-xs">{hiddenSentence(area.devices_hidden)}</p>}
        <dl className="facts">
          <Fact label="Last Activity">{formatDated(area.last_activity, zone, loaded_at)}</Fact>
          <Fact label="Next Event">{formatDated(area.next_event, zone, loaded_at)}</Fact>
        </dl>
        <Activity area={area} />
        <Links area={area} />
      </Card>
    </li>
  );
}

/** What is done most from here. Switching asks first, on the area's page. */
function Links({ area: { id, name, devices_total, may_write } }: { area: AreaSummary & MayWrite }) {
  const mayPlan = useCan("schedule.save") && may_write;
  if (devices_total === 0) return null;
  return (
    <div role="group" aria-label={name}>
      {mayPlan && (
        <Link discover="none" to={bookHref(id)}>
          Book
        </Link>
      )}
      <Link discover="none" to={`${areaHref(id)}?turn-off=area:${id}`}>
        All off…
      </Link>
    </div>
  );
}

function Activity({ area: { name, devices_on, devices_total } }: { area: AreaSummary }) {
  const percent = percentOn(devices_on, devices_total);
  return (
    <footer>
      <span>Device Activity</span>
      <span>{`${percent}%`}</span>
      <progress aria-label={`Device activity of ${name}`} max={100} value={percent} />
    </footer>
  );
}

/** Grey without hubs, green if all are online, red if none is, otherwise blue. */
function hubsTone({ hubs_online, hubs_total }: AreaSummary): Tone {
  if (hubs_total === 0) return "neutral";
  if (hubs_online === hubs_total) return "ok";
  return hubs_online === 0 ? "bad" : "brand";
}

/** Grey if no device is on, green if all are, otherwise blue. */
function devicesTone({ devices_on, devices_total }: AreaSummary): Tone {
  if (devices_on === 0) return "neutral";
  return devices_on === devices_total ? "ok" : "brand";
}
