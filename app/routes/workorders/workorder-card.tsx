import { CardActions } from "#app/components/card-actions";
import { DeptBadge } from "#app/components/dept-badge";
import { useOrganization } from "#app/components/organization";
import { NameLink, areaHref, deviceHref } from "#app/components/page-links";
import { overSentence } from "#domain/alarms/alarm-words";
import { formatDated } from "#domain/time/display";
import type { PlacedWorkorder } from "#domain/records/records";
import { Card, Fact } from "#app/ui/card";
import { classes } from "#app/ui/classes";
import { PriorityBadge, StatusBadge, StatusIcon } from "./badges";

/** Every role sees the buttons; the server decides who may delete. */
export function WorkorderCard({ workorder, now }: { workorder: PlacedWorkorder; now: number }) {
  const { zone } = useOrganization();
  const { id, title, description, status, priority, dept_id, assigned_to, created_at, completed_at } = workorder;
  return (
    <li>
      <Card aria-label={title} className="flex h-full flex-col gap-3 p-4">
        <div className="flex items-start gap-3">
          <StatusIcon status={status} />
          <h2 className="line-clamp-2 min-w-0 flex-1 self-center font-semibold" title={title}>
            {title}
          </h2>
          <CardActions name={title} id={id} mayEdit mayDelete />
        </div>
        <div className="flex flex-wrap gap-1.5">
          <StatusBadge status={status} />
          <PriorityBadge priority={priority} />
          <DeptBadge dept_id={dept_id} />
        </div>
        {workorder.alarm_over_at && <p className="text-ok-text">{overSentence(workorder.alarm_over_at, zone, now)}</p>}
        <p className={classes("line-clamp-2", description ? "text-ink-soft" : "text-ink-faint italic")}>
          {description || "No description provided"}
        </p>
        <dl className="facts mt-auto">
          {workorder.area_id && workorder.area_name && (
            <Fact label="Area">
              <NameLink to={areaHref(workorder.area_id)}>{workorder.area_name}</NameLink>
            </Fact>
          )}
          {workorder.device_id && workorder.device_name && (
            <Fact label="Device">
              <NameLink to={deviceHref(workorder.device_id)}>{workorder.device_name}</NameLink>
            </Fact>
          )}
          <Fact label="Created">{formatDated(created_at, zone, now)}</Fact>
          {assigned_to && (
            <Fact label="Assigned to">
              <span className="font-mono text-xs" title={assigned_to}>
                {assigned_to}
              </span>
            </Fact>
          )}
          {completed_at && <Fact label="Completed">{formatDated(completed_at, zone, now)}</Fact>}
        </dl>
      </Card>
    </li>
  );
}
