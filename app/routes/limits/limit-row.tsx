import type { ReactNode } from "react";
import { Lightbulb, MapPin } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { NameLink, areaHref } from "#app/components/page-links";
import { personOf } from "#domain/light/person-of";
import { spanWords } from "#domain/time/span-words";
import type { NamedTarget } from "#domain/schedule/target-schema";
import { Badge } from "#app/ui/badge";
import { Card } from "#app/ui/card";

export type Limit = {
  id: string;
  version: number;
  target: NamedTarget;
  area_id: string;
  area_name: string;
  from: string;
  to: string | null;
  reason: string;
  created_by: string;
};

type Props = { limit: Limit; now: number; children: ReactNode };

/** A closure or a permit: what for, from when to when, why, by whom, and its buttons. */
export function LimitRow({ limit, now, children }: Props) {
  const { zone } = useOrganization();
  const { area_id, area_name, target, reason, created_by } = limit;
  return (
    <li>
      <Card aria-label={limitName(limit)} className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3">
        <div className="min-w-0 flex-[2_1_14rem]">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h2 className="min-w-0 font-semibold">{reason}</h2>
            <WhenBadge limit={limit} now={now} />
          </div>
          <p className="text-ink-soft mt-1 flex flex-wrap gap-x-4 gap-y-0.5 [&_svg]:size-3.5 [&_svg]:shrink-0">
            <span className="flex items-center gap-1.5">
              <Lightbulb />
              {targetWords(target)}
            </span>
            <span className="flex items-center gap-1.5">
              <MapPin />
              <NameLink to={areaHref(area_id)}>{area_name}</NameLink>
            </span>
          </p>
        </div>
        <div className="min-w-0 flex-[1_1_16rem]">
          <p className="font-medium">{spanWords(limit, zone, now)}</p>
          <p className="text-ink-soft mt-0.5 text-xs">By {personOf(created_by)}</p>
        </div>
        <div className="flex flex-wrap gap-2 empty:hidden">{children}</div>
      </Card>
    </li>
  );
}

/** 'wet ground, All lights of Alder Field', for a screen reader and for buttons. */
export function limitName({ reason, target, area_name }: Limit): string {
  return `${reason}, ${target.name} of ${area_name}`;
}

/** Whether it is in force, to come or over. */
export function phaseOf({ from, to }: Pick<Limit, "from" | "to">, now: number): "now" | "coming" | "over" {
  if (to !== null && Date.parse(to) <= now) return "over";
  return Date.parse(from) <= now ? "now" : "coming";
}

const BADGES = {
  now: <Badge tone="warn">In force</Badge>,
  coming: <Badge tone="brand">To come</Badge>,
  over: <Badge tone="neutral">Over</Badge>,
};

function WhenBadge({ limit, now }: { limit: Limit; now: number }) {
  return BADGES[phaseOf(limit, now)];
}

function targetWords({ name, devices }: NamedTarget): string {
  return devices === 1 ? name : `${name} (${devices})`;
}
