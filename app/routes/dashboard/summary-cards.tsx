import { CalendarClock, Lightbulb, MapPinned, Router, type IconComponent } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { formatInstant } from "#domain/display";
import type { DashboardTotals } from "#domain/dashboard-page";
import { NameLink } from "#app/components/page-links";
import { Card } from "#app/ui/card";

export function SummaryCards({ areas, totals }: { areas: number; totals: DashboardTotals }) {
  const { zone } = useOrganization();
  const { hubs_online, hubs_total, devices_on, devices_total, next_event: next } = totals;
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 sm:mb-5 sm:gap-4 xl:grid-cols-4">
      <Summary icon={MapPinned} label="Total Areas" to="/areas" value={String(areas)} />
      <Summary icon={Router} label="Online Hubs" to="/hubs?sort=status" value={`${hubs_online}/${hubs_total}`} />
      <Summary
        icon={Lightbulb}
        label="Active Devices"
        to="/devices?sort=state"
        value={`${devices_on}/${devices_total}`}
      />
      <Summary
        icon={CalendarClock}
        label="Next Event"
        to="/schedules"
        value={next ? formatInstant(next, zone) : "None scheduled"}
        small
      />
    </div>
  );
}

function Summary({
  icon: Icon,
  label,
  to,
  value,
  small,
}: {
  icon: IconComponent;
  label: string;
  to: string;
  value: string;
  small?: true;
}) {
  return (
    <Card className="hover:border-line-strong relative flex flex-col justify-between gap-1 p-3.5 sm:p-4">
      <h2 className="text-ink-soft flex items-center gap-2 text-sm">
        <Icon aria-hidden className="size-4 shrink-0" />
        <NameLink to={to} className="after:absolute after:inset-0 after:rounded-xl">
          {label}
        </NameLink>
      </h2>
      <p className={small ? "text-sm leading-8 font-semibold sm:text-lg" : "text-2xl font-semibold"}>{value}</p>
    </Card>
  );
}
