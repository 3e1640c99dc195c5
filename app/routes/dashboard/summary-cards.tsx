import { grouped } from "#domain/counted";
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { CalendarClock, Lightbulb, MapPinned, Router, type IconComponent } from "#app/ui/icons";
import { useOrganization } from "#app/components/organization";
import { formatDated } from "#domain/time/display";
import type { DashboardPage } from "#domain/records/dashboard-page";
import { NameLink } from "#app/components/page-links";
import { Card } from "#app/ui/card";

type Props = Pick<DashboardPage, "all" | "totals"> & { next: string | null };

/** The city in four figures, each of which leads to the list of what it counts. */
export function SummaryCards({ all, totals, next }: Props) {
  const { zone, loaded_at } = useOrganization();
  const { areas_active, hubs_online, hubs_away, hubs_total, devices_on, devices_total, problems, unknown } = totals;
  return (
    <div className="mb-4 tiny:grid-cols-1 grid grid-cols-2 gap-3 sm:mb-5 sm:gap-4 xl:grid-cols-4">
      <Summary icon={MapPinned} label="Total Areas" to="/areas" value={grouped(all)}>
        {all > 0 && <Part to="/areas?status=active">{`${grouped(areas_active)} active`}</Part>}
      </Summary>
      <Summary
        icon={Router}
        label="Online Hubs"
        to="/hubs?status=online"
        value={<Share part={hubs_online} of={hubs_total} />}
      >
        {hubs_away > 0 && <Part to="/hubs?status=offline" isBad>{`${grouped(hubs_away)} away`}</Part>}
      </Summary>
      <Summary
        icon={Lightbulb}
        label="Active Devices"
        to="/devices?state=on"
        value={<Share part={devices_on} of={devices_total} />}
      >
        {problems > 0 && <Part to="/devices?show=problems" isBad>{`${grouped(problems)} wrong`}</Part>}
        {unknown > 0 && <Part to="/devices?state=unknown">{`${grouped(unknown)} unknown`}</Part>}
      </Summary>
      <Summary
        icon={CalendarClock}
        label="Next Event"
        to="/schedules"
        value={totals.next_event ? formatDated(totals.next_event, zone, loaded_at) : "None scheduled"}
        small
      >
        {next}
      </Summary>
    </div>
  );
}

/** '3,299/10,000': it breaks behind the slash, where it has to, and not within a number, which would read as two. */
function Share({ part, of }: { part: number; of: number }) {
  return (
    <>
      {`${grouped(part)}/`}
      <wbr />
      {grouped(of)}
    </>
  );
}

function Part({ to, isBad, children }: { to: string; isBad?: true; children: string }) {
  return (
    <Link to={to} className={isBad ? "text-bad-text" : undefined}>
      {children}
    </Link>
  );
}

type SummaryProps = {
  icon: IconComponent;
  label: string;
  to: string;
  value: ReactNode;
  small?: true;
  /** Parts of the figure, or what it means. */
  children: ReactNode;
};

function Summary({ icon: Icon, label, to, value, small, children }: SummaryProps) {
  return (
    <Card className="summary">
      <h2>
        <Icon />
        <NameLink to={to}>{label}</NameLink>
      </h2>
      <p className={small ? "text-sm leading-8 sm:text-base" : "text-2xl"}>{value}</p>
      <p>{children}</p>
    </Card>
  );
}
